import { pageViewRecords } from "../analytics/records.ts";
import { articleRecords } from "../articles/records.ts";
import { retiredPathRecords } from "../articles/retired-paths.ts";
import { commentRecords } from "../comments/records.ts";
import { invalid } from "../errors.ts";
import { followRecords } from "../follows/records.ts";
import { itemRecords, sourceRecords } from "../feed-imports/records.ts";
import { categoryRecords, listingRecords } from "../listings/records.ts";
import { organizationRecords } from "../organizations/records.ts";
import { episodeRecords, podcastRecords } from "../podcasts/records.ts";
import { reactionRecords } from "../reactions/records.ts";
import type { RecordType } from "../records/record-type.ts";
import { tagRecords } from "../tags/records.ts";
import { userRecords } from "../users/records.ts";
import { quote } from "../text/quote.ts";
import { webhookRecords } from "../webhooks/records.ts";
import { settingRecords } from "../settings/records.ts";

/** The types of records in the order of an export: targets of references come first. */
export const RECORD_TYPES: readonly RecordType[] = [
  settingRecords,
  userRecords,
  organizationRecords,
  tagRecords,
  followRecords,
  articleRecords,
  retiredPathRecords,
  podcastRecords,
  episodeRecords,
  commentRecords,
  reactionRecords,
  categoryRecords,
  listingRecords,
  sourceRecords,
  itemRecords,
  pageViewRecords,
  webhookRecords,
];

const NAMES = RECORD_TYPES.map(({ type }) => type);

/** The types of these names, or all. */
export function chooseTypes(only?: readonly string[]): Map<string, RecordType> {
  const wrong = only?.find((name) => !NAMES.includes(name));
  if (wrong !== undefined)
    throw invalid(`--only can't name ${quote(wrong)}: it takes one or more of ${NAMES.join(",")}.`);
  const chosen = RECORD_TYPES.filter(({ type }) => only === undefined || only.includes(type));
  return new Map(chosen.map((type) => [type.type, type]));
}

export function faultOfType(type: string): string {
  return `there is no record type ${quote(type)}; known are ${NAMES.join(", ")}`;
}
