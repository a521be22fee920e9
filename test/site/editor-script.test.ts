import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text as textIn } from "node:stream/consumers";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { browser } from "../browser.ts";
import { PATIENCE_MS } from "../setup.ts";

const WEB = join(import.meta.dirname, "../../dist/web");
const NAMES = JSON.parse(readFileSync(join(WEB, "assets.json"), "utf8")) as Record<string, string>;
const asset = (name: string) => `/static/${NAMES[name]}`;

function page(main: string, title = "Write"): string {
  const parts = ["site", "member", "editor"].map(
    (name) => `<link rel="stylesheet" href="${asset(`${name}.css`)}">
      <script type="module" src="${asset(`${name}.js`)}"></script>`,
  );
  const icon = `<svg class="icon"><use href="${asset("icons.svg")}#bell"/></svg>`;
  return `<!doctype html><html lang="en"><title>${title}</title>${parts.join("")}${icon}<main>${main}</main>`;
}

let version: string;
let body: string;
const editor = (title = "Write") =>
  page(
    `<h1>${title}</h1><form id="editor" method="post" action="/new" data-member="7" data-article="new"
      data-saved="2026-01-02T03:04:05Z"><input type="hidden" name="version" value="${version}">
      <div class="field"><label for="title">Title</label><input id="title" name="title"></div>
      <div class="editor-text"><div class="field"><label for="body_markdown">Text</label>
      <textarea id="body_markdown" name="body_markdown" rows="12">\n${body}</textarea></div>
      <div id="preview"></div></div><p id="editor-status" role="status"></p>
      <button name="act" value="draft">Save draft</button> <button name="act" value="preview">Preview</button></form>
      <form method="post" action="/signout"><button>Sign out</button></form>`,
    title,
  );

let act: "save" | "refuse" | "sign in";
let uploaded: { links: string[] } | { error: string };
let afterUpload: Promise<void>;
let previews: { body: string; release(): void }[];
let saved: string[];

type Answer = Partial<Record<"type" | "text" | "to", string>> & { status?: number };

async function answer(request: IncomingMessage): Promise<Answer> {
  const { url = "", method } = request;
  if (url.startsWith("/static/")) {
    const name = url.slice("/static/".length);
    const types: Record<string, string> = { js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
    return { type: types[name.split(".").at(-1) ?? ""] ?? "", text: readFileSync(join(WEB, name), "utf8") };
  }
  const fields = new URLSearchParams(await textIn(request));
  if (url === "/new/images") {
    await afterUpload;
    const status = "links" in uploaded ? 201 : 422;
    return { status, type: "application/json", text: JSON.stringify(uploaded) };
  }
  if (url === "/signout" || url === "/signed-in") return { to: "/done" };
  if (url !== "/new" || method === "GET") return { text: url === "/new" ? editor() : page("Done") };
  const markdown = fields.get("body_markdown") ?? "";
  if (fields.get("act") === "preview") {
    await new Promise<void>((release) => previews.push({ body: markdown, release }));
    return { text: page(`<div class="preview"><p>${markdown}</p></div>`) };
  }
  if (act === "refuse") return { status: 422, text: editor("Error: Write") };
  if (act === "sign in") {
    const carried = `<textarea name="body_markdown" hidden>${markdown}</textarea><button>Sign in</button>`;
    return { status: 401, text: page(`<form method="post" action="/signed-in">${carried}</form>`) };
  }
  saved.push(markdown);
  return { to: "/done" };
}

let server: Server;
let origin: string;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void answer(request).then(
      ({ text = "", to, status = to ? 303 : 200, type = "text/html; charset=utf-8" }) =>
        response.writeHead(status, { "content-type": type, ...(to && { location: to }) }).end(text),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  [previews, saved, act, version, body] = [[], [], "save", "1", ""];
  [uploaded, afterUpload] = [{ links: ["/uploads/0.png"] }, Promise.resolve()];
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(() => void server.close());

/** The editor with a text. Narrow, so that only the test of previews asks for them. */
async function open({ width = 800, text = "", isPaused = false } = {}): Promise<Page> {
  const context = await (await browser()).newContext({ viewport: { width, height: 900 } });
  context.setDefaultTimeout(PATIENCE_MS);
  contexts.push(context);
  if (isPaused) await context.clock.install();
  const opened = await context.newPage();
  await opened.goto(`${origin}/new`);
  await opened.locator("markdown-toolbar").waitFor();
  await opened.locator("#body_markdown").fill(text);
  return opened;
}

const field = (opened: Page) => opened.locator("#body_markdown");
const select = (opened: Page, from: number, to: number) =>
  opened.evaluate(`document.querySelector("#body_markdown").setSelectionRange(${from}, ${to})`);
const status = (opened: Page) => opened.locator("#editor-status").textContent();

const give = (opened: Page, event: "paste" | "drop", name: string) =>
  opened.evaluate(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(2e6)], "${name}", { type: "image/png" }));
    const more = { bubbles: true, cancelable: true };
    document.querySelector("#body_markdown").dispatchEvent("${event}" === "paste"
      ? new ClipboardEvent("paste", { clipboardData: data, ...more })
      : new DragEvent("drop", { dataTransfer: data, ...more }));
  })()`);

test("each button changes the words that are selected, and Undo takes that back", async () => {
  const opened = await open({ text: "one two" });
  const names = ["Bold", "Italic", "Heading", "Quote", "Code", "Link", "List", "Numbered list", "Task list"];
  const results = [];
  for (const name of names) {
    await select(opened, 4, 7);
    await opened.getByRole("button", { name, exact: true }).click();
    results.push(await field(opened).inputValue());
    await opened.keyboard.press("Control+Z");
    expect([name, await field(opened).inputValue()]).toEqual([name, "one two"]);
  }
  const inline = ["one **two**", "one _two_", "one ## two", "one \n\n> two", "one `two`", "one [two](url)"];
  expect(results).toEqual([...inline, "- one two", "1. one two", "one \n\n- [ ] two"]);
});

test("keys mark words, and the arrow keys lead through the toolbar", async () => {
  const opened = await open({ text: "two" });
  for (const [key, text] of Object.entries({ B: "**two**", I: "_two_", K: "[two](url)" })) {
    await field(opened).selectText();
    await opened.keyboard.press(`Control+${key}`);
    expect(await field(opened).inputValue()).toBe(text);
    await opened.keyboard.press("Control+Z");
  }
  await opened.keyboard.press("Shift+Tab");
  await opened.keyboard.press("ArrowRight");
  await select(opened, 0, 3);
  await opened.keyboard.press("Enter");
  expect(await field(opened).inputValue()).toBe("_two_");
  await opened.keyboard.press("Control+S");
  await opened.waitForURL(`${origin}/done`);
  expect(saved).toEqual(["_two_"]);
});

test("lists go on at Enter and end in an empty item, but not while words are composed", async () => {
  const opened = await open();
  await field(opened).pressSequentially("- one\ntwo\n\n9. nine\nten\n\n- [x] done\nmore\n\nlast\nline");
  const text = "- one\n- two\n9. nine\n10. ten\n- [x] done\n- [ ] more\nlast\nline";
  expect(await field(opened).inputValue()).toBe(text);
  await field(opened).fill("- にほん");
  const prevented = await opened.evaluate(`(() => {
    const event = new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true });
    document.querySelector("#body_markdown").dispatchEvent(event);
    return event.defaultPrevented;
  })()`);
  expect([prevented, await field(opened).inputValue()]).toEqual([false, "- にほん"]);
});

test("a picture that is pasted or dropped is uploaded to its place, wherever that has gone", async () => {
  const opened = await open({ text: "before  after" });
  let release = () => {};
  afterUpload = new Promise<void>((resolve) => (release = resolve));
  await select(opened, 7, 7);
  await give(opened, "paste", "heron.png");
  await expect
    .poll(() => field(opened).inputValue())
    .toMatch(/^before !\[Uploading heron.png… \d+%\]\(\) after$/);
  await expect.poll(() => field(opened).inputValue()).toContain("100%");
  await select(opened, 0, 0);
  await opened.keyboard.type("Long ");
  await field(opened).dispatchEvent("compositionstart");
  release();
  await opened.waitForResponse(`${origin}/new/images`);
  await field(opened).dispatchEvent("compositionend");
  await expect.poll(() => field(opened).inputValue()).toBe("Long before ![heron.png](/uploads/0.png) after");
  await opened.keyboard.type("ago ");
  expect(await field(opened).inputValue()).toMatch(/^Long ago before/);
  await field(opened).fill("");
  await give(opened, "drop", "crane.png");
  await expect.poll(() => field(opened).inputValue()).toBe("![crane.png](/uploads/0.png)");
});

test("a refused picture says why and leaves the text alone", async () => {
  const opened = await open({ text: "words" });
  uploaded = { error: "image is too wide" };
  const choosing = opened.waitForEvent("filechooser");
  await opened.getByRole("button", { name: "Picture" }).click();
  await (await choosing).setFiles({ name: "wide.png", mimeType: "image/png", buffer: Buffer.alloc(100) });
  await expect.poll(() => status(opened)).toContain("wide.png is not uploaded: image is too wide");
  expect(await field(opened).inputValue()).toBe("words");
});

test("the preview follows the text, one request at a time, and says when it fails", async () => {
  const opened = await open({ width: 1200, isPaused: true });
  const preview = opened.locator("#preview");
  for (const text of ["first", "second", "third"]) {
    await field(opened).fill(text);
    await opened.clock.runFor(text === "first" ? 300 : 500);
  }
  for (const count of [1, 2]) {
    await expect.poll(() => previews.length).toBe(count);
    previews.at(-1)?.release();
  }
  await preview.getByText("third").waitFor();
  expect(previews.map((each) => each.body)).toEqual(["", "third"]);
  await opened.context().setOffline(true);
  await field(opened).fill("fourth");
  await opened.clock.runFor(500);
  await expect.poll(() => status(opened)).toContain("No preview: the site doesn't answer");
  expect([await field(opened).inputValue(), await preview.textContent()]).toEqual(["fourth", "third"]);
});

test("a copy is kept, offered when the text is not on the page that opens, and cleared by signing out", async () => {
  const opened = await open({ text: "written for an hour", isPaused: true });
  await opened.clock.runFor(3_500);
  expect(await status(opened)).toMatch(/^Kept in this browser at \d\d:\d\d · 4 words, 1 min read$/);
  version = "2";
  body = "newer text";
  await opened.goto(`${origin}/new`);
  const offer = opened.locator("#copy");
  await offer.getByText(/kept a text at \d\d:\d\d .* saved at 2 Jan 2026.* changed meanwhile/).waitFor();
  expect(await field(opened).inputValue()).toBe("newer text");
  await field(opened).fill("a third");
  await opened.reload();
  await offer.getByRole("button", { name: "Discard" }).click();
  await offer.getByRole("button", { name: "Restore" }).click();
  expect(await field(opened).inputValue()).toBe("written for an hour");
  expect(await opened.locator("[name=version]").inputValue()).toBe("1");
  await opened.keyboard.press("Control+Z");
  expect(await field(opened).inputValue()).toBe("newer text");
  await opened.evaluate(`localStorage.setItem("shortcut", "off"); localStorage.setItem("editor 8 12", "[]")`);
  await opened.getByRole("button", { name: "Sign out" }).click();
  await opened.waitForURL(`${origin}/done`);
  expect(await opened.evaluate("Object.keys(localStorage)")).toEqual(["shortcut"]);
});

test("a copy is cleared once the server has the text, not when it refuses", async () => {
  const opened = await open({ text: "mine" });
  const copies = () => opened.evaluate(`localStorage.getItem("editor 7 new")`);
  const save = () => opened.getByRole("button", { name: "Save draft" }).click();
  [act, body] = ["refuse", "mine"];
  await save();
  await opened.waitForFunction(`document.title.startsWith("Error:")`);
  expect(await copies()).toContain('"body_markdown":"mine"');
  expect(await opened.locator("#copy").count()).toBe(0);
  act = "sign in";
  await save();
  const signIn = opened.getByRole("button", { name: "Sign in" });
  await signIn.waitFor();
  expect(await copies()).toContain('"body_markdown":"mine"');
  await signIn.click();
  await opened.waitForURL(`${origin}/done`);
  expect(await copies()).toBe(null);
});
