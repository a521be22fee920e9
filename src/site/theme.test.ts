import { describe, expect, test } from "vitest";
import { readPage } from "../../test/documents.ts";
import { worldForAll } from "../../test/world.ts";
import * as settings from "../platform/settings/settings.ts";
import { contrast, inkOn, NIGHT, PAPER, readable, rgbOf } from "./kit/color.ts";

const world = worldForAll();

const set = (key: string, value: string) => settings.set(world.db, key, value);

async function header() {
  const { text } = await world.get("/tags");
  return /<header class="site-header">.*?<\/header>/s.exec(text)?.[0] ?? "";
}

describe("a community makes the site its own by settings:", () => {
  test("its name, slogan and purpose", async () => {
    await set("community_name", "Loom & Wheel");
    await set("tagline", "We spin <yarn>");
    await set("community_description", "For all who weave.");
    const home = await readPage(world, "/");
    expect(home).toMatchObject({ title: "Loom & Wheel: We spin <yarn>", h1: "Loom & Wheel" });
    expect(home.meta).toMatchObject({ description: "For all who weave.", "og:site_name": "Loom & Wheel" });
    const tags = await readPage(world, "/tags");
    expect(tags.title).toBe("Tags · Loom & Wheel");
    expect(tags.text).toContain("We spin &lt;yarn>");
  });

  test("its logo in place of the first letter of its name", async () => {
    expect(await header()).toContain('<span class="seal" aria-hidden="true">L</span>');
    await set("logo_url", "https://pictures.example/logo.svg?a=1&b=2");
    expect(await header()).toContain('<img src="https://pictures.example/logo.svg?a=1&amp;b=2" alt');
    expect(await header()).not.toContain("seal");
    await set("logo_url", "");
  });

  test("its colour, which the policy of each page allows, and no other style", async () => {
    await set("accent_color", "#ffee00");
    const { text, headers } = await world.get("/tags");
    expect(text).toMatch(/<style>:root\{--accent-light:#[0-9a-f]{6};--accent-dark:#ffee00;/);
    expect(text).not.toContain("--accent-light:#ffee00");
    const before = headers["content-security-policy"];
    await set("accent_color", "#005f5f");
    const after = await world.get("/tags");
    expect(after.text).toContain("--accent-light:#005f5f");
    expect(after.headers["content-security-policy"]).not.toBe(before);
  });

  test("its links at the top", async () => {
    expect(await header()).toContain('<a href="/tags">Tags</a>');
    const lines = ["Wool|/t/wool", "  Shop | https://shop.example/?a=1&b=2 ", ""];
    await set("navigation_links", lines.join("\r\n"));
    const nav = /<nav class="site-nav"[^>]*>(.*?)<\/nav>/s.exec(await header())?.[1];
    expect(nav).toBe('<a href="/t/wool">Wool</a><a href="https://shop.example/?a=1&amp;b=2">Shop</a>');
  });

  test("a sentence at the end of each page", async () => {
    await set("footer_text", "Woven in <Bilbao>.");
    for (const url of ["/", "/tags", "/nobody"]) {
      expect((await world.get(url)).text).toMatch(/<footer.*<p>Woven in &lt;Bilbao>\.<\/p>.*<\/footer>/s);
    }
  });

  test.each([
    ["/about", "about_page", "About"],
    ["/privacy", "privacy_page", "Privacy"],
    ["/terms", "terms_page", "Terms"],
    ["/code-of-conduct", "code_of_conduct_page", "Code of conduct"],
  ])("the text of %s, with a usual one until it is set", async (url, key, title) => {
    const usual = await readPage(world, url);
    expect(usual).toMatchObject({ status: 200, h1: title, isHidden: false });
    expect(usual.words).toContain("Loom & Wheel");
    expect(usual.words).toContain("Write to the operators of this site");
    expect(usual.text).not.toMatch(/\{(?:name|contact|description)\}/);
    await set("contact_email", "help@loom.example");
    expect((await readPage(world, url)).words).toContain("help@loom.example");
    await set("contact_email", "");
    await set(key, "## Hello {name}\n\nWe *weave*. <script>alert(1)</script>");
    const own = await readPage(world, url);
    expect(own.words).toContain("Hello {name}");
    expect(own.text).toContain("<em>weave</em>");
    expect(own.text).not.toContain("<script>alert");
    await set(key, "");
    expect((await readPage(world, url)).words).toBe(usual.words);
  });
});

test("every colour that can be set is readable as text in both themes, and under text", () => {
  const parts = ["00", "33", "66", "99", "cc", "ff"];
  for (const red of parts)
    for (const green of parts)
      for (const blue of parts) {
        for (const background of [PAPER, NIGHT]) {
          const shown = readable(`#${red}${green}${blue}`, background);
          expect(contrast(rgbOf(shown), rgbOf(background))).toBeGreaterThanOrEqual(4.5);
          expect(contrast(rgbOf(inkOn(shown)), rgbOf(shown))).toBeGreaterThanOrEqual(4.5);
        }
      }
});

test("a colour that can be read is shown as it was set", () => {
  expect(readable("#005f5f", PAPER)).toBe("#005f5f");
  expect(readable("#ffee00", NIGHT)).toBe("#ffee00");
});
