import { invalid } from "../errors.ts";
import { faultIn } from "../http/storable.ts";
import { countCharacters } from "../text/characters.ts";
import { type Columns, toColumns } from "./record-row.ts";
import { OrganizationRecord } from "./record-schema.ts";

/** What an organization says of itself. A blank text is none. */
export type Profile = Omit<OrganizationRecord, "id" | "created_at" | "members">;

const LIMITS = OrganizationRecord.properties as unknown as Record<string, { maxLength?: number }>;

/**
 * A profile as it is stored.
 * @throws AppError invalid
 */
export function checkProfile(profile: Profile): Columns {
  for (const [field, value] of Object.entries(profile)) {
    if (value === undefined) continue;
    const name = sentenceName(field);
    const fault = faultIn(value);
    if (fault !== undefined) throw invalid(`${name} contains ${fault}: leave it out`);
    const { maxLength = Infinity } = LIMITS[field] ?? {};
    if (countCharacters(value) > maxLength) {
      throw invalid(`${name} is too long (maximum is ${maxLength} characters)`);
    }
  }
  return toColumns(profile);
}

/** `tag_line` as it begins a sentence: "Tag line". */
function sentenceName(field: string): string {
  return `${field.charAt(0).toUpperCase()}${field.slice(1)}`.replaceAll("_", " ");
}
