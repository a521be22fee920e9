import { expect, test } from "vitest";
import { readDocument } from "../../src/site/reference/document.ts";
import { operationPath, readTopics, REFERENCE, topicPath } from "../../src/site/reference/topics.ts";
import { set } from "../../src/platform/settings/settings.ts";
import { expectReadable, siteForAll } from "../site.ts";

const site = siteForAll();

const topics = () => readTopics(readDocument(site.world.app.swagger()));

/** Every page of the reference. */
async function paths(): Promise<string[]> {
  const all = await topics();
  return [
    REFERENCE,
    ...all.flatMap((topic) => [
      topicPath(topic.slug),
      ...topic.operations.map((one) => operationPath(topic, one)),
    ]),
  ];
}

const MAX_BYTES = 30 * 1024;

test("every page takes at most 30 KB of HTML, and each of its links leads somewhere", async () => {
  const pages = await paths();
  expect(pages.length).toBeGreaterThan(70);
  const ids = new Map<string, Set<string>>();
  const links = new Set<string>();
  const faults: string[] = [];
  for (const path of pages) {
    const { status, text } = await site.world.get(path);
    if (status !== 200 || Buffer.byteLength(text) > MAX_BYTES)
      faults.push(`${path}: ${status}, ${Buffer.byteLength(text)} bytes`);
    ids.set(path, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => String(id))));
    for (const [, link] of text.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const { pathname, hash } = new URL(String(link), `http://localhost${path}`);
      links.add(pathname + hash);
    }
  }
  for (const link of [...links].filter((one) => one.startsWith("/api/docs"))) {
    const [path = "", fragment] = link.split("#");
    if (fragment === undefined ? !ids.has(path) : !ids.get(path)?.has(fragment)) faults.push(`no ${link}`);
  }
  expect(faults).toEqual([]);
});

test("a page shows an operation with its parameters, fields, statuses and a sample for this site", async () => {
  const { text } = await site.world.get("/api/docs/listings/createListing");
  expect(text).toContain("<h1>Create a listing</h1>");
  for (const part of ["Idempotency-Key", "body_markdown", "classified_listing", "<dt>429</dt>"])
    expect(text).toContain(part);
  expect(text).toContain(`${site.origin}/api/listings`);
  expect((await site.world.get("/api/docs/webhooks")).text).toContain("Disabled endpoints</h2>");
  expect((await site.world.get("/api/docs/nothing")).status).toBe(404);
  expect((await site.world.get("/api/docs/articles/nothing")).status).toBe(404);
});

test("a form finds operations without a script", async () => {
  const { page } = await site.open(REFERENCE, { javaScriptEnabled: false });
  await page.getByRole("searchbox", { name: "Find an operation" }).fill("rotate secret");
  await page.getByRole("button", { name: "Find" }).click();
  expect(await page.locator(".operations a").allTextContents()).toEqual([
    "Rotate the secret of a webhook endpoint",
  ]);
  const none = await site.world.get("/api/docs?q=zzz");
  expect(none.text).toContain("No operation has ");
});

test.each([true, false])(
  "tabs show a sample in each language (scripts run: %s)",
  async (javaScriptEnabled) => {
    const { page } = await site.open("/api/docs/articles/getArticles", { javaScriptEnabled });
    const isVisible = (text: string) => page.getByText(text).first().isVisible();
    expect([await isVisible("curl '"), await isVisible("import requests")]).toEqual([true, false]);
    await page.getByText("Python", { exact: true }).click();
    expect([await isVisible("curl '"), await isVisible("import requests")]).toEqual([false, true]);
    expect(await isVisible("Try it")).toBe(javaScriptEnabled);
  },
);

test("with a script, the list is filtered while one types, and a read is sent", async () => {
  const { page, faults } = await site.open(REFERENCE);
  await page.getByRole("searchbox", { name: "Find an operation" }).fill("podcast");
  expect(await page.locator(".operations a:visible").allTextContents()).toEqual(["List podcast episodes"]);
  await page.goto(`${site.origin}/api/docs/users/getUser`);
  await page.getByText("Try it").click();
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator("output strong").waitFor();
  const output = await page.locator("output").textContent();
  expect(output).toContain("200 OK");
  expect(output).toContain('"username": "mara_lindqvist"');
  expect(output).toContain("content-type: ");
  expect(faults).toEqual([]);
});

const LOOKED_AT = [
  REFERENCE,
  "/api/docs/articles",
  "/api/docs/articles/listArticles",
  "/api/docs/webhooks-verifying",
].map((path, turn) => ({ path, turn }));

test.each(LOOKED_AT)("$path is accessible and fits every width", async ({ path, turn }) => {
  const { page, faults } = await site.open(path);
  await expectReadable(page, { few: 1, turn });
  expect(faults).toEqual([]);
});

test("a private community shows it to everyone", async () => {
  await set(site.world.db, "visibility", "private");
  await expect.poll(async () => (await site.world.get("/tags")).status, { timeout: 30_000 }).toBe(303);
  for (const path of [REFERENCE, "/api/docs/users", "/api/docs/users/getUser", "/api/openapi.json"])
    expect((await site.world.get(path)).status).toBe(200);
});
