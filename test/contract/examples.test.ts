import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import * as demoKeys from "../../src/operate/demo/key.ts";
import { type Operation, readDocument } from "../../src/site/reference/document.ts";
import { LANGUAGES, sampleOf } from "../../src/site/reference/samples.ts";
import { siteForAll } from "../site.ts";

/** Each command is a process, which take long beside the rest of the suite. */
const TIMEOUT_MS = 180_000;

const ROOT = join(import.meta.dirname, "../..");
const [curl, javascript, python] = LANGUAGES.map(({ write }) => write);

/** The demo, as `npm run demo` loads it into an empty database, and the key that it prints. */
function demoForAll() {
  const site = siteForAll();
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    env = { PATH: process.env["PATH"], KEY: await demoKeys.renew(site.world.db, new Date()) };
  });
  return {
    site,
    operations: () => readDocument(site.world.app.swagger()).operations,
    /** The status of the response to a command; its output if that isn't a success. */
    async run(command: string): Promise<string> {
      const shown = `${command} -sS -w '\\n%{http_code}'`;
      const out = await outputOf("sh", ["-c", shown], env);
      const status = out.slice(out.lastIndexOf("\n") + 1);
      return /^2\d\d$/.test(status) ? "success" : out;
    },
    async get(path: string): Promise<string> {
      const { status, text } = await site.world.get(path, { key: env["KEY"] });
      return status === 200 ? "success" : `${path}: ${text}`;
    },
    runJavaScript: (code: string) => outputOf(process.execPath, ["--input-type=module", "-e", code], env),
  };
}

function outputOf(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: ROOT, env }, (error, out, err) => resolve(error ? out + err : out));
  });
}

/** Reads first, deletions last, so that no example takes away the row of another. */
const inOrder = (operations: Operation[]) =>
  ["GET", "POST", "PUT", "DELETE"].flatMap((wanted) => operations.filter(({ method }) => method === wanted));

describe("the example of every operation", () => {
  const demo = demoForAll();

  test(
    "succeeds on a fresh demo, with each of its optional parameters too",
    async () => {
      const operations = inOrder(demo.operations());
      expect(operations.length).toBe(demo.operations().length);
      const faults: string[] = [];
      const note = (id: string, outcome: string) => outcome !== "success" && faults.push(`${id}: ${outcome}`);
      for (const operation of operations) {
        const sample = sampleOf(operation);
        const run = (path: string) => demo.run(curl!(demo.site.origin, { ...sample, path }));
        note(operation.id, await run(sample.path));
        for (const path of variantsOf(operation))
          note(operation.id, await (operation.method === "GET" ? demo.get(path) : run(path)));
      }
      expect(faults).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test("has a value for every parameter and body", () => {
    const missing = demo
      .operations()
      .flatMap(({ id, parameters, body }) => [
        ...parameters.flatMap(({ name, example }) => (example === undefined ? [`${id} ${name}`] : [])),
        ...(body && body.example === undefined ? [`${id} body`] : []),
      ]);
    expect(missing).toEqual([]);
  });

  test(
    "runs in JavaScript, and is valid Python",
    async () => {
      const named = (id: string) => demo.operations().find((one) => one.id === id) as Operation;
      // One of each kind: a read, a read with a key, a change, a form.
      for (const id of ["getArticles", "getUserMe", "updateListing", "uploadImage"]) {
        const code = javascript!(demo.site.origin, sampleOf(named(id)));
        expect(await demo.runJavaScript(code)).toMatch(/^20[01] /);
      }
      const texts = demo.operations().map((one) => python!(demo.site.origin, sampleOf(one)));
      const parse = "import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)";
      execFileSync("python3", ["-c", parse], { input: JSON.stringify(texts) });
    },
    TIMEOUT_MS,
  );
});

/** The paths of a read with one more of its optional parameters each. */
function variantsOf(operation: Operation) {
  const sample = sampleOf(operation);
  const optional = operation.parameters.filter(
    ({ in: place, name, required }) => place === "query" && !required && !sample.path.includes(`${name}=`),
  );
  return optional.map(({ name, example }) => {
    const url = new URL(sample.path, "http://localhost");
    url.searchParams.set(name, String(example));
    // It replaces the article.
    if (name === "p_id") url.searchParams.delete("a_id");
    return url.pathname + url.search;
  });
}

describe("the pages of docs/api", () => {
  const demo = demoForAll();

  test(
    "have commands that succeed on a fresh demo, in the order of the page",
    async () => {
      const folder = join(ROOT, "docs/api");
      const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
      const faults: string[] = [];
      let count = 0;
      for (const page of pages) {
        for (const command of commandsOf(readFileSync(join(folder, page), "utf8"))) {
          count++;
          const outcome = await demo.run(command.replaceAll("http://localhost:3000", demo.site.origin));
          if (outcome !== "success") faults.push(`${page}: ${command}: ${outcome}`);
        }
      }
      expect(count).toBeGreaterThan(25);
      expect(faults).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** The commands in blocks of code, which may go on over lines. */
function commandsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^(?: {4})?(curl (?:.*\\\n)*.*)$/gm)].map((match) => String(match[1]));
}
