import MiniSearch from "minisearch";
import { ask, startChild } from "../measure/child.ts";
import { nodeWithSqlite } from "../measure/compare.ts";
import { type Collection, titleOf } from "./collection.ts";
import { DEEPEST } from "./measures.ts";

/** Texts and questions in words that a space separates. */
export interface PeerOrder {
  docs: { title: string; text: string }[];
  queries: string[];
}

/** For each question, the numbers of the best texts. */
export type Rankings = number[][];

/** Other engines that search the same texts, each with the settings that its documentation leads with. */
export const PEERS: Record<string, (order: PeerOrder) => Promise<Rankings>> = {
  "FTS5 (porter, OR, bm25 4/1)": askFts5,
  "MiniSearch (title 3, prefix, fuzzy .2)": async (order) => askMiniSearch(order),
};

async function askFts5(order: PeerOrder): Promise<Rankings> {
  const child = startChild("./fts5-peer.ts", await nodeWithSqlite());
  try {
    return await ask<Rankings>(child, order);
  } finally {
    child.kill();
  }
}

function askMiniSearch({ docs, queries }: PeerOrder): Rankings {
  const engine = new MiniSearch({
    fields: ["title", "text"],
    searchOptions: { boost: { title: 3 }, fuzzy: 0.2 },
  });
  engine.addAll(docs.map((doc, id) => ({ id, ...doc })));
  const options = { prefix: (_term: string, at: number, terms: string[]) => at === terms.length - 1 };
  return queries.map((q) =>
    engine
      .search(q, options)
      .slice(0, DEEPEST)
      .map(({ id }) => id as number),
  );
}

/** @param queries as they are asked */
export function orderFor({ docs }: Collection, queries: readonly string[]): PeerOrder {
  return {
    docs: docs.map(({ title, text }) => ({ title: spaced(titleOf(title, text)), text: spaced(text) })),
    queries: queries.map(spaced),
  };
}

/** Text without spaces between words becomes its overlapping pairs of characters, as Lucene's CJK analyser makes them. */
function spaced(text: string): string {
  return text.replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu, (run) => {
    const signs = Array.from(run);
    return ` ${
      signs.length === 1
        ? run
        : signs
            .slice(1)
            .map((sign, at) => `${signs[at]}${sign}`)
            .join(" ")
    } `;
  });
}
