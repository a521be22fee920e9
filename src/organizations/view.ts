/** What is shown of the organization that an article belongs to. */
export interface OwnerRow {
  name: string;
  username: string;
  profile_image: string | null;
}

export function owner(row: OwnerRow, baseUrl: string) {
  return {
    name: row.name,
    username: row.username,
    slug: row.username,
    profile_image: row.profile_image ?? `${baseUrl}/assets/default-organization-640.png`,
    profile_image_90: row.profile_image ?? `${baseUrl}/assets/default-organization-90.png`,
  };
}
