import { readLines } from "../community-file/lines.ts";
import { recordIn, textOf } from "../community-file/parse.ts";
import { invalid } from "../../platform/errors.ts";
import { wordOf } from "./article-values.ts";
import type { CommunityRecord, Found, Reader, Source, Stranger } from "./reader.ts";
import { failed } from "./reader.ts";

export const COMMUNITY_FILE = "community.ndjson";

/** What a person's archive may say of them: addresses, roles, keys and ids are an operator's business. */
const OWN_ATTRIBUTES: Record<string, readonly string[]> = {
  user: words(
    "username name summary location website_url microblog_username codehost_username profile_image created_at",
  ),
  article: words(
    `slug author title body_markdown description tags series canonical_url main_image published published_at
    first_published_at created_at edited_at crossposted_at video_source_url video_thumbnail_url video_duration_seconds`,
  ),
  retired_path: words("path article"),
};

const ARTICLE_PATH = /^\/\w{2,30}\/\w[\w-]*$/;

function words(text: string): string[] {
  return text.split(/\s+/);
}

/** A record with the attributes that are a person's own; undefined for other types. */
export function ownPart({ type, ...fields }: CommunityRecord): CommunityRecord | undefined {
  const own = Object.hasOwn(OWN_ATTRIBUTES, type) ? OWN_ATTRIBUTES[type] : undefined;
  return own && { type, ...Object.fromEntries(Object.entries(fields).filter(([key]) => own.includes(key))) };
}

export const inkstone: Reader = {
  folder: "uploads/",
  fileOf: (url) => /^(?:https?:\/\/[^/]+)?\/uploads\/([0-9a-f]{32}\.[a-z]+)$/.exec(url)?.[1],
  async *read(sources) {
    for (const source of sources) yield* readArchive(source);
  },
};

/** The person comes first. */
async function* readArchive(source: Source): AsyncGenerator<Found> {
  let author: Stranger | undefined;
  const slugs = new Set<unknown>();
  for await (const { place, ...read } of readRecords(source)) {
    if ("fault" in read) {
      yield { leftOut: failed({ type: "record", name: place }, invalid(read.fault)) };
      continue;
    }
    const { record: given } = read;
    const record = ownPart(given);
    if (record === undefined || (record.type === "user") !== (author === undefined)) {
      const name = wordOf(given["username"] ?? given["slug"] ?? given["name"]);
      const reason = "it is not of the person whose archive this is";
      yield { leftOut: { type: given.type, name, reason } };
    } else if (author === undefined) {
      const { username, name, type: _, profile_image: picture, ...profile } = record;
      // A path would be a picture of this site, which is of another person.
      const pictured = /^https?:/.test(wordOf(picture)) ? { ...profile, profile_image: picture } : profile;
      author = { username: wordOf(username), name: wordOf(name), profile: pictured };
      yield { person: author };
    } else if (record.type === "article") {
      slugs.add(record["slug"]);
      yield { record, author };
    } else if (slugs.has(record["article"]) && ARTICLE_PATH.test(wordOf(record["path"]))) {
      yield { path: wordOf(record["path"]), of: wordOf(record["article"]) };
    }
  }
}

async function* readRecords({ zip, name }: Source) {
  const entry = zip?.entries.get(COMMUNITY_FILE);
  if (zip === undefined || entry === undefined)
    throw invalid(`${name} is no archive with ${COMMUNITY_FILE}.`);
  for await (const line of readLines(await zip.read(entry))) {
    const text = textOf(line);
    const read = "fault" in text ? text : recordIn(text.text);
    yield { place: `line ${line.number} of ${COMMUNITY_FILE} in ${name}`, ...read };
  }
}
