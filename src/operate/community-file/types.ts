import { pageViewRecords } from "../../community/analytics/records.ts";
import { articleRecords } from "../../community/articles/records.ts";
import { retiredPathRecords } from "../../community/articles/retired-paths.ts";
import { commentRecords } from "../../community/comments/records.ts";
import { invalid } from "../../platform/errors.ts";
import { followRecords } from "../../community/follows/records.ts";
import { itemRecords, sourceRecords } from "../../community/feed-imports/records.ts";
import { categoryRecords, listingRecords } from "../../community/listings/records.ts";
import { organizationRecords } from "../../community/organizations/records.ts";
import { episodeRecords, podcastRecords } from "../../community/podcasts/records.ts";
import { reactionRecords } from "../../community/reactions/records.ts";
import type { RecordType } from "../../community/records/record-type.ts";
import { tagRecords } from "../../community/tags/records.ts";
import { userRecords } from "../../community/users/records.ts";
import { quote } from "../../platform/text/quote.ts";
import { webhookRecords } from "../../community/webhooks/records.ts";
import { settingRecords } from "../../community/settings/records.ts";

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

export function chooseTypes(only?: readonly string[]): Map<string, RecordType> {
  const wrong = only?.find((name) => !NAMES.includes(name));
  if (wrong !== undefined)
    throw invalid(`--only can't name ${quote(wrong)}: it takes one or more of ${NAMES.join(",")}.`);
  const chosen = RECORD_TYPES.filter(({ type }) => only === undefined || only.includes(type));
  return new Map(chosen.map((type) => [type.type, type]));
}

export const faultOfType = (type: string): string =>
  `there is no record type ${quote(type)}; known are ${NAMES.join(", ")}`;
