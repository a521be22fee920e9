import { checkTexts, storedUrl } from "../users/profile-fields.ts";
import { type Columns, toColumns } from "./record-row.ts";
import { OrganizationRecord } from "./record-schema.ts";

/** What an organization says of itself. A blank text is none. */
export type Profile = Omit<OrganizationRecord, "id" | "created_at" | "members">;

/**
 * A profile as it is stored.
 * @throws AppError invalid
 */
export function checkProfile(profile: Profile): Columns {
  checkTexts(profile, OrganizationRecord.properties);
  // A picture that the site keeps is somebody's: only who gives it may name it.
  if (profile.profile_image !== undefined) storedUrl("profile_image", profile.profile_image);
  return toColumns(profile);
}
