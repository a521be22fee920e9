import { type Term, terms } from "./tokens.ts";

/** What stands between spaces or quotes. */
export interface QueryPart {
  terms: Term[];
  isPhrase: boolean;
  isExcluded: boolean;
}

/** More than a person types; PostgreSQL's stack bounds the length of a query. */
const MAX_CHARACTERS = 1000;
const MAX_TERMS = 100;

const PART = /(?<minus>(?<!\S)-(?=[^\s-]))?(?:"(?<phrase>[^"]*)"|(?<words>[^\s"]+)|")/g;

/** An address is looked for as people write it, too. */
const SCHEME = /^https?:\/\/(?=[\p{L}\p{N}])/iu;

/** Takes a query apart. Only quotes and a minus before a word mean anything; parts without words are left out. */
export function readParts(q: string): QueryPart[] {
  const parts: QueryPart[] = [];
  let room = MAX_TERMS;
  const text = q.slice(0, MAX_CHARACTERS).replaceAll(/[“”„‟]/g, '"');
  for (const { groups } of text.matchAll(PART)) {
    const found: Term[] = [];
    const words = groups?.["words"]?.replace(SCHEME, "");
    for (const term of terms(groups?.["phrase"] ?? words ?? "")) {
      if (room <= 0) break;
      const kept = shorten(term, room);
      room -= "run" in kept ? kept.run.length : kept.words.length;
      found.push(kept);
    }
    if (found.length === 0) continue;
    parts.push({
      terms: found,
      isPhrase: groups?.["phrase"] !== undefined,
      isExcluded: groups?.["minus"] !== undefined,
    });
  }
  return parts;
}

function shorten(term: Term, room: number): Term {
  if ("run" in term) return { run: term.run.slice(0, room) };
  return term.words.length <= room ? term : { words: term.words.slice(0, room), joined: undefined };
}
