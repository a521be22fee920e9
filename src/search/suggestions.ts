import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { beginningWith } from "../db/values.ts";
import { articlePath, profilePath, searchPath, tagPath } from "../paths.ts";
import * as tags from "../tags/tags.ts";
import { fold } from "../text/fold.ts";
import * as users from "../users/directory.ts";
import type { Vocabulary } from "../search-index/spelling.ts";
import { titleKey } from "../search-index/tokens.ts";

export interface Suggestion {
  text: string;
  kind: "Article" | "Person" | "Organization" | "Tag" | "";
  path: string;
}

const MOST = 8;
const MOST_TITLES = 3;
const MOST_NAMES = 2;
/** Nearly everything begins with a single one. */
const LEAST_LETTERS = 2;

/** Bounds the sorting of titles with a common beginning. */
const MOST_COMPARED = 200;

/** Completions of a query: titles, people, organizations and tags, then words. */
export async function suggestionsFor(
  db: Db,
  vocabulary: Vocabulary,
  { typed, now }: { typed: string; now: Date },
): Promise<Suggestion[]> {
  const words = typed.replace(/^\s*[@#]?/, "");
  const name = words.trim();
  if (name.length < LEAST_LETTERS) return [];
  const titles = await titlesWith(db, titleKey(typed), now);
  const profiles = await users.named(db, name, MOST_NAMES);
  const labels = await tags.named(db, name, MOST_NAMES);
  const found: Suggestion[] = [
    ...titles.map((row): Suggestion => ({ text: row.title, kind: "Article", path: articlePath(row) })),
    ...["user", "organization"].flatMap((kind) =>
      profiles
        .filter((each) => each.kind === kind)
        .slice(0, MOST_NAMES)
        .map(suggestProfile),
    ),
    ...labels.map((tag): Suggestion => ({ text: `#${tag.name}`, kind: "Tag", path: tagPath(tag.name) })),
  ];
  const queries = wordsWith(vocabulary, words).map((text): Suggestion => ({
    text,
    kind: "",
    path: searchPath(text),
  }));
  return [...found, ...queries].slice(0, MOST);
}

function suggestProfile({ kind, name, username }: users.FoundProfile): Suggestion {
  return { text: name, kind: kind === "user" ? "Person" : "Organization", path: profilePath(username) };
}

/** Completes the last word of a query, with the most frequent words first. */
function wordsWith(vocabulary: Vocabulary, typed: string): string[] {
  const [, before = "", last = ""] = /^(.*?)([\p{L}\p{N}\p{M}_]*)$/su.exec(fold(typed)) ?? [];
  if (last.length < LEAST_LETTERS) return [];
  const words = vocabulary.beginning(last, MOST).filter((word) => word !== last);
  return words.map((word) => before + word);
}

interface TitleRow {
  title: string;
  slug: string;
  user: { username: string };
  organization: { username: string } | null;
}

/** The most popular ones of those in the upper tiers. */
async function titlesWith(db: Db, key: string, now: Date): Promise<TitleRow[]> {
  if (key.length < LEAST_LETTERS) return [];
  const { rows } = await sql<TitleRow>`
    select articles.title, articles.slug, json_build_object('username', users.username) as user,
      case when organizations.id is not null then json_build_object('username', organizations.username) end as organization
    from (
      select article_id, reactions from article_search
      where title_key like ${beginningWith(key)} and published_at <= ${now}
      order by tier limit ${MOST_COMPARED}
    ) as found
    join articles on articles.id = found.article_id
    join users on users.id = articles.author_id
    left join organizations on organizations.id = articles.organization_id
    order by found.reactions desc, articles.id desc limit ${MOST_TITLES}`.execute(db);
  return rows;
}
