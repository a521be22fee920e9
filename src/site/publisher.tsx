import { Type } from "typebox";
import { currentName } from "../articles/retired-paths.ts";
import { notFound } from "../errors.ts";
import * as organizations from "../organizations/organizations.ts";
import { profilePath } from "../paths.ts";
import { find as findPodcast } from "../podcasts/reading.ts";
import * as users from "../users/directory.ts";
import { moved, type Moved, type Page, type Pages } from "./kit.tsx";
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
  const { source, params, request } = visit;
  const name = params.name.toLowerCase();
  const page = await pageOfName(visit, name);
  if (page !== undefined) return params.name === name ? page() : moved(request, profilePath(name));
  const renamed = await currentName(source.db, name);
  if (renamed !== undefined) return moved(request, profilePath(renamed));
  throw notFound();
}

async function pageOfName(visit: ProfileVisit, name: string): Promise<(() => Promise<Page>) | undefined> {
  const { db } = visit.source;
  const user = await users.findPublicProfile(db, name);
  if (user !== undefined) return () => personPage(visit, user);
  const organization = await organizations.findPublicProfile(db, name);
  if (organization !== undefined) return () => organizationPage(visit, organization);
  const podcast = await findPodcast(db, name);
  return podcast && (() => podcastPage(visit, podcast));
}
