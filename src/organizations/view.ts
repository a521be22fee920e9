import { addressOf, type Pictured } from "../images/profile-picture.ts";

/** What is shown of the organization that an article belongs to. */
export interface OwnerRow {
  id: number;
  name: string;
  username: string;
  profile_image: string | null;
}

export function owner({ id, name, username, profile_image }: OwnerRow, baseUrl: string) {
  const pictured: Pictured = { kind: "organization", id, profile_image };
  return {
    name,
    username,
    slug: username,
    profile_image: addressOf(pictured, 640, baseUrl),
    profile_image_90: addressOf(pictured, 90, baseUrl),
  };
}
