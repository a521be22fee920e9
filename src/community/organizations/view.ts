import { addressOf, type Pictured } from "../../content/images/profile-picture.ts";
import { timestamp } from "../../platform/text/dates.ts";
import type { ProfileRow, SummaryRow } from "./queries.ts";
import type { Organization, OrganizationSummary } from "./schema.ts";

export interface OwnerRow {
  id: number;
  name: string;
  username: string;
  profile_image: string | null;
}

export function owner({ id, name, username, profile_image }: OwnerRow, baseUrl: string) {
  const picture = pictured({ id, profile_image });
  return {
    name,
    username,
    slug: username,
    profile_image: addressOf(picture, 640, baseUrl),
    profile_image_90: addressOf(picture, 90, baseUrl),
  };
}

export function organization(
  { created_at, profile_image, ...shown }: ProfileRow,
  baseUrl: string,
): Organization {
  return {
    type_of: "organization",
    ...shown,
    joined_at: timestamp(created_at),
    profile_image: addressOf(pictured({ ...shown, profile_image }), 640, baseUrl),
  };
}

export function summary(row: SummaryRow, baseUrl: string): OrganizationSummary {
  return {
    id: row.id,
    name: row.name,
    profile_image: addressOf(pictured(row), 640, baseUrl),
    slug: row.username,
    summary: row.summary,
    tag_line: row.tag_line,
    url: row.url,
  };
}

function pictured({ id, profile_image }: Pick<OwnerRow, "id" | "profile_image">): Pictured {
  return { kind: "organization", id, profile_image };
}
