import { Type } from "typebox";
import { currentName } from "../articles/archive.ts";
import { notFound } from "../errors.ts";
import * as organizations from "../organizations/organizations.ts";
import { profilePath } from "../paths.ts";
import * as users from "../users/directory.ts";
import type { Moved, Page } from "../web/page.tsx";
import type { Pages } from "./kit.tsx";
import { organizationPage } from "./organization.tsx";
import { personPage } from "./person.tsx";
import { podcastPage } from "./podcasts.tsx";
import { ProfileQuery, type ProfileVisit } from "./profile.tsx";

/** The pages of names: of people, organizations and podcasts. */
export function publisherRoutes(pages: Pages): void {
  const Name = Type.Object({ name: Type.String() });
  pages.get("/:name", { params: Name, querystring: ProfileQuery }, publisher);
}

async function publisher(visit: ProfileVisit): Promise<Page | Moved> {
  const { source, params } = visit;
  const name = params.name.toLowerCase();
  const user = await users.findPublicProfile(source.db, name);
  if (user !== undefined)
    return params.name === name ? personPage(visit, user) : { movedTo: profilePath(name) };
  const organization = await organizations.findProfile(source.db, name);
  if (organization !== undefined && organization.username === name)
    return organizationPage(visit, organization);
  const podcast = await podcastPage(visit, name);
  if (podcast !== undefined) return podcast;
  const renamed = await currentName(source.db, name);
  if (renamed !== undefined) return { movedTo: profilePath(renamed) };
  throw notFound();
}
