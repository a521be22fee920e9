import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");

const OPTIONS = {
  strict: true,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  types: [],
};

/** The use of each client: it compiles only if the types fit the API. */
const USES = {
  "openapi-typescript": `
    import type { components, operations, paths } from "./paths";
    type Found = paths["/api/articles/search"]["get"]["responses"][200]["content"]["application/vnd.service.api-v1+json"];
    export const title = (found: Found): string | undefined => found[0]?.title;
    export const edited = (found: Found): string | null | undefined => found[0]?.edited_at;
    export const mine: keyof operations = "listMyArticles";
    export const refusal: components["schemas"]["ApiError"] = { error: "not found", status: 404 };
  `,
  "hey-api": `
    import { createArticle, getArticles, getComments } from "./hey-api";
    export async function titles(): Promise<string[]> {
      const { data, error } = await getArticles({ query: { q: "tomatoes", per_page: 3 } });
      if (error !== undefined) throw new Error(error.error);
      return data.map(({ title }) => title);
    }
    export const write = () => createArticle({ body: { article: { title: "Hello", body_markdown: "Hi." } } });
    export const comments = () => getComments({ query: { a_id: 41 } });
    // @ts-expect-error A page is a number.
    export const wrong = () => getArticles({ query: { page: "1" } });
  `,
  orval: `
    import { createArticle, getAnalyticsHistory, getArticles } from "./orval";
    import type { ApiError, NewArticle } from "./orval/model";
    export async function titles(): Promise<string[]> {
      const found = await getArticles({ q: "tomatoes", per_page: 3 });
      if (found.status === 200) return found.data.map(({ title }) => title);
      if (found.status === 304) return [];
      const refusal: ApiError = found.data;
      throw new Error(refusal.error);
    }
    const article: NewArticle = { article: { title: "Hello", body_markdown: "Hi." } };
    export const write = () => createArticle(article);
    export async function views(day: string): Promise<number> {
      const history = await getAnalyticsHistory({ start: day });
      return history.status === 200 ? (history.data[day]?.page_views.total ?? 0) : 0;
    }
  `,
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "inkstone-clients-"));
  await cp(join(ROOT, "openapi.json"), join(folder, "openapi.json"));
  await run("node", [join(import.meta.dirname, "generate.mjs"), join(folder, "openapi.json"), folder]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The faults that the compiler finds in a file and in everything that it imports. */
async function faultsIn(name: string, source: string): Promise<string> {
  await writeFile(join(folder, `${name}.use.ts`), source);
  const config = join(folder, `${name}.json`);
  await writeFile(config, JSON.stringify({ compilerOptions: OPTIONS, files: [`${name}.use.ts`] }));
  return run("node", [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", config]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

describe("a client generated from the OpenAPI document compiles strictly, and knows its types:", () => {
  test.each(Object.entries(USES))("%s", async (name, source) => {
    expect(await faultsIn(name, source)).toBe("");
  });
});
