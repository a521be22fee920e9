import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import openapiTypescript from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "..");

const OPTIONS = {
  strict: true,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
};

/** Uses of the client: they compile only if the types fit the API. */
const USES = {
  "its responses": `
    import type { components, operations, paths } from "./client";
    type Found = paths["/api/articles/search"]["get"]["responses"][200]["content"]["application/vnd.service.api-v1+json"];
    export const title = (found: Found): string | undefined => found[0]?.title;
    export const edited = (found: Found): string | null | undefined => found[0]?.edited_at;
    export const mine: keyof operations = "listMyArticles";
    export const refusal: components["schemas"]["ApiError"] = { error: "not found", status: 404 };
    type History = components["schemas"]["AnalyticsHistory"];
    export const views = (history: History, day: string): number => history[day]?.page_views.total ?? 0;
  `,
  "its parameters and bodies": `
    import type { components, operations, paths } from "./client";
    type Query = NonNullable<operations["getArticles"]["parameters"]["query"]>;
    export const query: Query = { q: "tomatoes", per_page: 3 };
    // @ts-expect-error A page is a number.
    export const wrong: Query = { page: "1" };
    type Comments = NonNullable<paths["/api/comments"]["get"]["parameters"]["query"]>;
    export const comments: Comments = { a_id: 41 };
    export const article: components["schemas"]["NewArticle"] = {
      article: { title: "Hello", body_markdown: "Hi." },
    };
    // @ts-expect-error An article has a body.
    export const empty: components["schemas"]["NewArticle"] = { article: { title: "Hello" } };
  `,
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "inkstone-clients-"));
  const document = JSON.parse(await readFile(join(ROOT, "openapi.json"), "utf8"));
  await writeFile(join(folder, "client.ts"), await openapiTypescript(document));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The faults that the compiler finds in a file and in everything that it imports. */
async function faultsIn(source: string): Promise<string> {
  await writeFile(join(folder, "use.ts"), source);
  const config = join(folder, "tsconfig.json");
  await writeFile(config, JSON.stringify({ compilerOptions: OPTIONS, files: ["use.ts"] }));
  return run("node", [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", config]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

describe("a client generated from the OpenAPI document compiles strictly, and knows", () => {
  test.each(Object.entries(USES))("%s", async (_name, source) => {
    expect(await faultsIn(source)).toBe("");
  });
});
