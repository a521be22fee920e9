import { writeFile } from "node:fs/promises";
import { MAX_QUERY } from "../../src/search/index/query-parts.ts";
import { closing, say } from "../kit.ts";
import { createClient } from "../measure/http.ts";
import { prepareDataDir } from "../measure/data-dir.ts";
import { command, serve } from "../measure/program.ts";
import { untilLoaded } from "../measure/start-up.ts";
import { round, table } from "../report.ts";
import { type Collection, numberOf, type Question, questionsOf, toCommunityFile } from "./collection.ts";
import { measure, type Measures } from "./measures.ts";
import { slugsFor } from "./score.ts";
import { orderFor, PEERS, type Rankings } from "./peers.ts";

/** Searches a collection by the program and by other engines, and gives a table of their measures. */
export async function collect(collection: Collection, keep: string | undefined): Promise<string> {
  // Other engines get the longest query of the API too.
  const questions = questionsOf(collection).map(({ q, ...rest }) => ({
    q: Array.from(q).slice(0, MAX_QUERY).join(""),
    ...rest,
  }));
  say(`Inkstone: ${collection.name}`);
  const found: [string, Rankings][] = [["Inkstone", await searchSite(collection, questions, keep)]];
  const order = orderFor(
    collection,
    questions.map(({ q }) => q),
  );
  for (const [name, search] of Object.entries(PEERS)) {
    say(name);
    found.push([name, await search(order)]);
  }
  const rows = found.map(([name, rankings]) => [name, ...cells(measure(questions, rankings))]);
  const { name, language, docs } = collection;
  return [
    table(["Engine", "nDCG@10", "MAP@100", "recall@100", "success@3", "finds nothing"], rows),
    `${name}: ${round(docs.length)} texts (${language}), ${round(questions.length)} questions.`,
  ].join("\n\n");
}

function cells({ empty, ...shares }: Measures): string[] {
  return [...Object.values(shares).map((value) => value.toFixed(3)), round(empty)];
}

async function searchSite(collection: Collection, questions: readonly Question[], keep: string | undefined) {
  const dataDir = await prepareDataDir({ name: `collection-${collection.name}`, keep }, async (path) => {
    const file = `${path}.ndjson`;
    await writeFile(file, toCommunityFile(collection));
    await command(path, ["import", file]);
    return { file };
  });
  return closing(async (later) => {
    later(dataDir.leave);
    const { stop, ...server } = await serve(dataDir.path);
    later(stop);
    await untilLoaded(server);
    const client = createClient(server.baseUrl);
    later(client.close);
    const rankings: Rankings = [];
    for (const { q } of questions) rankings.push((await slugsFor(client, q)).map(numberOf));
    return rankings;
  });
}
