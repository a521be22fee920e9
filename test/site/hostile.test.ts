import { beforeAll, beforeEach, expect, test } from "vitest";
import { idCode } from "../../src/community/comments/id-codes.ts";
import * as settings from "../../src/platform/settings/settings.ts";
import { loadHostileCommunity, textsOf } from "../hostile-community.ts";
import { HOSTILE_HTML } from "../hostile-html.ts";
import { cases, sample } from "../setup.ts";
import { siteForAll, type Visit } from "../site.ts";

const site = siteForAll({ demo: false });

/** With the policy, which reports all that would run; in the long form also without it. */
const BROWSERS = [{}, { bypassCSP: true }].slice(0, cases(2, 1));
let visits: Visit[];
beforeAll(() => loadHostileCommunity(site.world));
beforeEach(async () => {
  visits = [];
  for (const options of BROWSERS) visits.push(await site.open("/privacy", options));
});

/** Everything in the document that a page of the site never has, and that runs or asks another host. */
const INTRUDERS = `[...document.querySelectorAll("*")].flatMap((element) => {
  const tag = element.localName;
  const say = (text) => "<" + tag + "> " + text;
  const isOwn = tag !== "script" || element.type === "application/ld+json"
    || element.src.includes("/static/") || element === document.scripts[0];
  // The forms of the page stand outside of texts.
  const isOfPage = element.closest(".prose") === null
    && element.matches("#acts, [action='/comments/new'], [action='/comments/new'] textarea, button.act[formaction^='/take-part/']");
  const isForeign = !isOfPage && (["iframe", "object", "embed", "base", "math", "template", "noscript", "textarea"].includes(tag)
    || element.matches("style ~ style, meta[http-equiv], svg:not(.icon), form:not([action='/search'])"));
  return [
    ...(isOwn && !isForeign ? [] : [say("doesn't belong here")]),
    ...[...element.attributes].flatMap(({ name, value }) => {
      if (/^on|^(style|srcdoc|formaction|ping|background)$/i.test(name) && !isOfPage) return [say(name)];
      if (!["href", "src", "action", "data", "poster", "xlink:href"].includes(name)) return [];
      const { protocol } = new URL(value, location.href);
      return ["http:", "https:", "mailto:"].includes(protocol) ? [] : [say(name + "=" + value)];
    }),
  ];
}).concat([...document.querySelectorAll("[type='application/ld+json']")].flatMap((script) => {
  try { JSON.parse(script.textContent); return []; } catch { return ["a broken JSON-LD"]; }
}))`;

/** Hostile addresses lead nowhere. */
const REFUSED = /^Failed to load resource: .* status of 4\d\d /;

const collapsed = (text: string) => text.replaceAll(/\s+/g, " ").trim();

interface Shown {
  path: string;
  shows: string;
}

/** Reads pages, and says what they did besides showing texts; each must show its text as it is. */
async function faultsOf(paths: Iterable<string | Shown>): Promise<string[]> {
  const found: string[] = [];
  for (const each of paths) {
    const { path, shows = "" } = typeof each === "string" ? { path: each } : each;
    for (const { page, faults } of visits) {
      await page.goto(site.origin + path);
      const events = faults.splice(0).filter((fault) => !REFUSED.test(fault));
      const all = [...events, ...((await page.evaluate(INTRUDERS)) as string[])];
      const text = collapsed(String(await page.evaluate("document.body.textContent")));
      if (!text.includes(collapsed(shows))) all.push(`doesn't show ${shows}`);
      found.push(...all.map((fault) => `${path}: ${fault}`));
    }
  }
  return found;
}

/** The pages of a list, from its first to its last. */
async function pagesOf(path: string): Promise<string[]> {
  const { text } = await site.world.get(path, { headers: { accept: "text/html" } });
  const next = /<link rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  return next === undefined ? [path] : [path, ...(await pagesOf(next))];
}

const TIMEOUT_MS = cases(3_600_000, 300_000);
const NUMBERS = [...HOSTILE_HTML.keys()];

test("no list shows a hostile text as anything but text", { timeout: TIMEOUT_MS }, async () => {
  const lists = ["/", "/search?q=alert", "/tags", "/archive/2026-01", "/podcasts", "/listings", "/videos"];
  const pages = (await Promise.all([...lists, "/user0/text-0/comments"].map(pagesOf))).flat();
  expect(pages.length).toBeGreaterThan(20);
  expect(await faultsOf(sample(pages, 12))).toEqual([]);
});

/** The pages of all that was written with one of the texts. */
function pagesAbout(number: number): Shown[] {
  const { name, title, text, tag } = textsOf(number);
  const [user, group, podcast] = ["user", "group", "podcast"].map((word) => `/${word}${number}`);
  return [
    { path: `${number % 2 === 0 ? group : user}/text-${number}`, shows: title },
    { path: `${user}/series/${encodeURIComponent(title)}`, shows: title },
    { path: `${user}`, shows: `${name}@user${number}` },
    { path: `${user}?tab=comments`, shows: `on ${textsOf(0).title}` },
    { path: `${user}?tab=series`, shows: title },
    { path: `${user}?tab=about`, shows: `About${text}` },
    { path: `${group}`, shows: name },
    { path: `${group}?tab=about`, shows: `${text}Works with${text}` },
    { path: `/listings/misc/listing-${number}`, shows: title },
    { path: `${podcast}`, shows: title },
    { path: `${podcast}/one`, shows: title },
    { path: `/comments/${idCode(number + 1)}`, shows: `Comment by ${name}` },
    { path: `/t/${encodeURIComponent(tag)}`, shows: `#${tag}` },
  ];
}

test("no page of a hostile person, text or recording runs it", { timeout: TIMEOUT_MS }, async () => {
  // Of every text another page in turn; in the long form all pages of all texts.
  const pages = NUMBERS.map(pagesAbout).flatMap((all, number) => sample(all, 1, number));
  expect(await faultsOf(sample(pages, 45))).toEqual([]);
});

test("nothing that a reader types or asks for runs", { timeout: TIMEOUT_MS }, async () => {
  const asked = HOSTILE_HTML.flatMap((given, number) => {
    const text = given.replaceAll("\0", "");
    const word = encodeURIComponent(text.slice(0, 200));
    const all = [
      { path: `/search?q=${word}`, shows: text.slice(0, 20) },
      { path: `/search?q=${word}&kind=people`, shows: text.slice(0, 20) },
      { path: `/search?q=a&tag=${word}`, shows: "" },
    ];
    return sample(all, 1, number);
  });
  const script = encodeURIComponent("</title></script><script>alert(1)</script>");
  const wrong = ["/search?kind=", "/?top=", "/?cursor=", "/?", "/x/", "/", "/t/", "/archive/", "/listings/"];
  expect(await faultsOf([...sample(asked, 12), ...wrong.map((before) => before + script)])).toEqual([]);
});

test("no setting runs", async () => {
  const { db, forget } = site.world;
  const script = "<script>alert(1)</script>";
  const text = `"'></title></script></style>${script}`;
  const pages = { about_page: "/about", privacy_page: "/privacy", terms_page: "/terms" };
  for (const [turn, key] of Object.keys(pages).entries()) {
    const part = HOSTILE_HTML.filter((_, index) => index % 3 === turn).join("\n\n");
    await settings.set(db, key, `${text}\n\n${part.replaceAll("\0", "")}`);
  }
  for (const [key, value] of Object.entries({
    community_name: text,
    tagline: text,
    community_description: text,
    footer_text: text,
    logo_url: `/"onerror="alert(1)">${script.replace("script", "script/x")}`,
    navigation_links: `${text} | /tags\ny | /"onclick="alert(1)`,
    accent_color: "#123456",
  })) {
    await settings.set(db, key, value);
  }
  const color = JSON.stringify(`red}</style>${script}`);
  await db.updateTable("settings").set({ value: color }).where("key", "=", "accent_color").execute();
  await forget();
  const home = { path: "/", shows: text };
  expect(await faultsOf([home, ...Object.values(pages), "/code-of-conduct", "/nothing/here"])).toEqual([]);
});
