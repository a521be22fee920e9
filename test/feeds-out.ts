import { expect } from "vitest";
import type { World } from "./world.ts";
import { all, parseXml, textOf, type XmlElement } from "./xml.ts";

export interface JsonFeed {
  [name: string]: unknown;
  items: Record<string, unknown>[];
}

/** Asks a world for feeds in each of their formats. */
export function feedsOf(world: World) {
  const rss = async (url: string) => all(parseXml((await world.get(url)).text), "channel")[0] as XmlElement;
  const atom = async (url: string) => parseXml((await world.get(url)).text);
  const json = async (url: string) => (await world.get(url)).body as JsonFeed;

  /** The titles of what each format shows, which are the same. */
  async function titles(path: string, query = ""): Promise<unknown[]> {
    const ofRss = all(await rss(path + query), "item").map((item) => textOf(item, "title"));
    const ofAtom = all(await atom(`${path}.atom${query}`), "entry").map((entry) => textOf(entry, "title"));
    const ofJson = (await json(`${path}.json${query}`)).items.map(({ title }) => title);
    expect(ofAtom).toEqual(ofRss);
    expect(ofJson).toEqual(ofRss);
    return ofRss;
  }

  return { rss, atom, json, titles };
}

/** Puts a few people, an organization, tags and articles into a world; gives the number of the person who wrote most. */
export async function fill(world: World): Promise<{ lenaId: number }> {
  const lena = await world.user({ username: "lena", name: "Lena Ortiz", summary: "I grow things." });
  const omar = await world.user({ username: "omar", name: "Omar <&> Sons" });
  await world.user({ username: "quiet", name: "Quiet" });
  await world.organization({ username: "tinkerlab", name: "Tinker Lab" });
  await world.tag({ name: "gardening" });
  await world.tag({ name: "garden", alias_for: "gardening" });
  await world.tag({ name: "unused" });
  await world.article(lena, {
    slug: "tomatoes-1a",
    title: "Tomatoes & <b>basil</b>",
    description: "Less < more",
    body_markdown: "Some *words*, [a link](/lena/other#end) and ![leaf](/uploads/leaf.png).\n\n> ]]>",
    tags: ["gardening", "día"],
    main_image: "https://pictures.example/a.png?b=1&c=2",
    published_at: "2026-03-02T09:15:00Z",
    edited_at: "2026-03-03T10:00:00Z",
  });
  await world.article(omar, { slug: "looms-2b", title: "Looms", published_at: "2026-03-05T09:15:00Z" });
  await world.article(lena, {
    slug: "warp-3c",
    title: "Warp",
    organization: "tinkerlab",
    published_at: "2026-03-04T09:15:00Z",
  });
  await world.article(lena, { slug: "secret-4d", title: "Secret", published: false });
  return { lenaId: lena.id };
}
