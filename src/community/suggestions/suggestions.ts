import { prepare } from "../../platform/db/prepared.ts";
import type { Db } from "../../platform/db/connect.ts";
import { sql } from "kysely";
import { articlePath, profilePath, tagPath } from "../../platform/paths.ts";
import type { SearchSource } from "../../search/find.ts";
import type { Current } from "../../search/index/memory.ts";
import { corrected } from "../../search/index/spelling.ts";
import { titledWith } from "../../search/index/title-words.ts";
import * as tags from "../tags/tags.ts";
import { fold } from "../../content/text/fold.ts";
import * as users from "../users/directory.ts";

export interface Suggestion {
  text: string;
  kind: "Article" | "Person" | "Organization" | "Tag";
  path: string;
}

const MOST = 8;
/** Titles fill what names and tags leave; of those there are at most this many of each kind. */
const LEAST_TITLES = 3;
const MOST_NAMES = 2;
/** Nearly everything begins with a single one. */
const LEAST_LETTERS = 2;
const LETTER = /[\p{L}\p{N}]/gu;
/** Fewer letters have too many others near them. */
const LEAST_MISSPELT = 4;
const MOST_MEANT = 3;

/**
 * Titles, people, organizations and tags with a word that begins as the last one typed, and all words before it. If
 * there are none, its last word may have one misspelt letter behind the first.
 */
export async function suggestionsFor(
  db: Db,
  { vocabulary, segment }: Current,
  { typed, now }: { typed: string; now: Date },
): Promise<Suggestion[]> {
  const text = typed.replace(/^\s*[@#]?/, "").trim();
  if ((text.match(LETTER)?.length ?? 0) < LEAST_LETTERS) return [];
  const found = await namedSo(db, text, { segment, now });
  const [last = ""] = /[\p{L}\p{N}\p{M}]+$/u.exec(fold(text)) ?? [];
  if (found.length > 0 || last.length < LEAST_MISSPELT) return found;
  const before = fold(text).slice(0, -last.length);
  const meant = vocabulary.nearBeginnings(last, MOST_MEANT).map((other) => before + other);
  const others = (await Promise.all(meant.map((each) => namedSo(db, each, { segment, now })))).flat();
  return [...new Map(others.map((each) => [each.path, each])).values()].slice(0, MOST);
}

type Reading = Pick<Current, "segment"> & { now: Date };

async function namedSo(db: Db, text: string, { segment, now }: Reading): Promise<Suggestion[]> {
  // Some may not be public yet.
  const ids = titledWith(segment.index, text, 2 * MOST);
  const [rows, profiles, labels] = await Promise.all([
    ids.length === 0 ? [] : titles(db, { ids, now }),
    users.namedWith(db, text, MOST_NAMES),
    tags.named(db, text, MOST_NAMES),
  ]);
  const others: Suggestion[] = [
    ...profiles.map(suggestProfile),
    ...labels.map(({ name }): Suggestion => ({ text: `#${name}`, kind: "Tag", path: tagPath(name) })),
  ];
  const articles = rows
    .slice(0, Math.max(LEAST_TITLES, MOST - others.length))
    .map((row): Suggestion => ({ text: row.title, kind: "Article", path: articlePath(row) }));
  return [...articles, ...others].slice(0, MOST);
}

function suggestProfile({ kind, name, username }: users.FoundProfile): Suggestion {
  return { text: name, kind: kind === "user" ? "Person" : "Organization", path: profilePath(username) };
}

interface TitleRow {
  title: string;
  slug: string;
  user: { username: string };
  organization: { username: string } | null;
}

const titles = prepare<{ ids: number[]; now: Date }, TitleRow>(
  (value) => sql`
    select articles.title, articles.slug, json_build_object('username', users.username) as user,
      case when organizations.id is not null then json_build_object('username', organizations.username) end as organization
    from articles
    join users on users.id = articles.author_id
    left join organizations on organizations.id = articles.organization_id
    where articles.id = any(${value("ids")}::int[]) and state = 'published' and published_at <= ${value("now")}::timestamptz
    order by array_position(${value("ids")}::int[], articles.id)`,
);

/** Tags that begin with what was typed, and behind them those that are spelt alike. */
export async function findTags({ db, memory, cache }: SearchSource, text: string, limit: number) {
  const name = tags.nameOf(text);
  if (name === undefined) return [];
  const { vocabulary } = await memory.current(db, cache);
  return tags.search(db, name, { others: corrected([name], vocabulary).get(name)?.words ?? [], limit });
}
