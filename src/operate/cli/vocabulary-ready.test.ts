import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { builtProgram } from "../../../test/setup.ts";
import { freePort, until } from "../../../test/waiting.ts";
import { programForAll, urlOf } from "../../../test/commands.ts";
import { search, searchUrl } from "../../../test/searching.ts";
import { startWorld, type World } from "../../../test/world.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as vocabulary from "../../search/vocabulary.ts";

const program = programForAll();

// Nothing works in the background here.
let world: World;
let env: { DATABASE_URL: string };
beforeEach(async () => {
  world = await startWorld();
  env = { DATABASE_URL: urlOf(world.name) };
});
afterEach(() => world.stop());

test("a misspelt word finds what `inkstone import` brought as soon as it ends", async () => {
  const records = [
    { type: "user", username: "ada", name: "Ada" },
    {
      type: "article",
      slug: "pods",
      author: "ada",
      title: "Kubernetes by hand",
      body_markdown: "Pods.",
      published_at: "2026-01-01T00:00:00Z",
    },
  ];
  const input = records.map((record) => JSON.stringify(record)).join("\n");
  expect(await program.inkstone(["import", "-"], { env, input })).toMatchObject({ code: 0 });
  expect(await search(world, { q: "kuberntes" })).toMatchObject({
    titles: ["Kubernetes by hand"],
    match: "similar",
  });
});

test("a misspelt word finds what `inkstone demo` brought as soon as it ends", async () => {
  expect(await program.inkstone(["demo"], { env })).toMatchObject({ code: 0 });
  const { titles, match } = await search(world, { q: "tomtaoes" });
  expect(titles.length).toBeGreaterThan(0);
  expect(match).toBe("similar");
});

test("a server is not ready before the words of all articles are in the vocabulary", async () => {
  const key = await world.key(await world.user());
  const url = "/api/articles";
  const body = { article: { title: "Kubernetes by hand", body_markdown: "Pods.", published: true } };
  expect(await world.request({ method: "POST", url, key, body })).toMatchObject({ status: 201 });
  const port = await freePort();
  const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  let server: ChildProcess | undefined;
  // Another process is about to fold, and dies before it has.
  const dying = inTransaction(world.db, async (tx) => {
    await vocabulary.addUpChanges(tx);
    server = spawn(process.execPath, [builtProgram(), "serve"], {
      cwd: program.folder,
      env: { ...env, PORT: String(port), LOG_LEVEL: "silent" },
      stdio: "ignore",
    });
    await until(async () => (await at("/healthz"))?.ok);
    await sleep(1_500);
    expect((await at("/readyz"))?.status).toBe(503);
    throw new Error("killed");
  });
  try {
    await expect(dying).rejects.toThrow("killed");
    await until(async () => (await at("/readyz"))?.ok);
    const answer = await at(searchUrl({ q: "kuberntes" }));
    expect(answer?.headers.get("x-search-match")).toBe("similar");
  } finally {
    server?.kill("SIGKILL");
  }
});
