import fc from "fast-check";
import { expect, test } from "vitest";
import { HOSTILE_HTML } from "../../../test/hostile-html.ts";
import { cases } from "../../../test/setup.ts";
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS } from "./allowed-html.ts";
import { sanitise } from "./sanitise.ts";

test("the corpus holds more than a hundred vectors", () => {
  expect(new Set(HOSTILE_HTML).size).toBeGreaterThan(100);
});

test.each(HOSTILE_HTML)("nothing that runs survives of %j", (vector) => {
  expect(faultsOf(sanitise(vector))).toEqual([]);
  expect(faultsOf(sanitise(`<p title="${vector}">${vector}</p><a href="${vector}">x</a>`))).toEqual([]);
});

test("sanitising twice changes nothing, and nothing that runs survives, whatever the markup", () => {
  const anyMarkup = fc.array(anyPiece(), { maxLength: 25 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(anyMarkup, (html) => {
      const once = sanitise(html);
      expect(sanitise(once)).toBe(once);
      expect(faultsOf(once)).toEqual([]);
    }),
    { numRuns: cases(3000, 300) },
  );
});

test.each([
  '<p onclick="x">',
  '<a href="javascript:x">',
  "<svg>",
  "<p id=x>",
  '<p id="x">',
  '<p class="x">',
  "a < b",
  "<!-- a -->",
  '<img src="data:x" />',
])("the check itself finds the fault in %s", (html) => {
  expect(faultsOf(html)).not.toEqual([]);
});

function anyPiece() {
  const tag = fc.constantFrom(
    ...ALLOWED_TAGS,
    ..."script style iframe textarea title svg math select option".split(" "),
    ..."form button template noscript xmp body nobr".split(" "),
  );
  const name = fc.constantFrom(
    ..."href src alt id class style onclick title width rel open srcdoc __proto__".split(" "),
  );
  const known =
    "javascript:x //evil &#106;avascript:x http:foo java\tscript:x https://a.example/?b&c /d h-e hljs cta embed-link";
  const value = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.constantFrom(...known.split(" ")));
  const attribute = fc.tuple(name, value).map(([key, text]) => `${key}="${text.replaceAll('"', "&quot;")}"`);
  const scraps = '< </ &lt; & &amp &#0; &#x3c; <!-- --> --!> <![CDATA[ ]]> <! <? \0 " >';
  return fc.oneof(
    fc
      .tuple(tag, fc.array(attribute, { maxLength: 3 }))
      .map(([opened, list]) => `<${opened} ${list.join(" ")}>`),
    tag.map((closed) => `</${closed}>`),
    tag.map((empty) => `<${empty}/>`),
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom(...scraps.split(" ")),
  );
}

/** In sanitised HTML angle brackets stand around tags only, so that a pattern reads it right. */
function faultsOf(html: string): string[] {
  const tags = html.match(/<[^>]*>/g) ?? [];
  const outside = html.replaceAll(/<[^>]*>/g, "");
  return [...tags.filter((tag) => !isHarmless(tag)), ...(outside.match(/[<>]/g) ?? [])];
}

function isHarmless(tag: string): boolean {
  const [, name = "", attributes = ""] = /^<\/?([a-z0-9]+)(( [a-z]+(="[^"]*")?)*)( \/)?>$/.exec(tag) ?? [];
  if (!ALLOWED_TAGS.includes(name)) return false;
  return [...attributes.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)].every(([, key = "", value = ""]) => {
    if (key === "href" || key === "src") return isHarmlessAddress(value.replaceAll("&amp;", "&"));
    if (key === "id") return value.startsWith("h-");
    if (key === "class") return /^(hljs|language-|cta$|embed embed-[a-z]+)/.test(value);
    return ALLOWED_ATTRIBUTES.includes(key);
  });
}

function isHarmlessAddress(address: string): boolean {
  return ["http:", "https:", "mailto:"].includes(new URL(address, "https://here.invalid/").protocol);
}
