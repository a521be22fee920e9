import { describe, expect, test } from "vitest";
import { importing, rss } from "../../../test/fetching.ts";

const site = importing();

/** A blog of its own, so that no two tests have a canonical address in common. */
let blogs = 0;
const blog = () => `left-out-${++blogs}.example`;

describe("an item that goes by another one's name is left out, which is reported once", () => {
  const SHARED = "Another item of the feed has its guid, its address or its title";
  const old = { title: "Old", date: "Mon, 02 Mar 2026 09:15:00 GMT", html: "One" };
  const young = { title: "Young", date: "Tue, 03 Mar 2026 09:15:00 GMT", html: "Two" };

  test.each([
    ["guid", (host: string) => ({ guid: `https://${host}/1` })],
    ["address", (host: string) => ({ link: `https://${host}/1` })],
  ])("of two with one %s the newer one is taken in", async (_what, name) => {
    const author = await site.author();
    const host = blog();
    site.says(rss([old, young].map((post) => ({ ...post, ...name(host) }))));
    const last_skipped = [{ title: "Old", reason: SHARED }];
    const { id } = await site.add(author);
    for (let run = 0; run < 2; run++) {
      expect(await site.refresh(id)).toMatchObject({ new_skipped: 0, imported: 1, skipped: 1, last_skipped });
    }
    expect(await site.articles(author)).toMatchObject([{ title: "Young" }]);
  });

  test("also when the other one is there already", async () => {
    const author = await site.author();
    const link = `https://${blog()}/1`;
    site.says(rss([{ ...old, link }]));
    const { id } = await site.add(author);
    site.says(rss([young, old].map((post) => ({ ...post, link }))));
    const last_skipped = [{ title: "Young", reason: SHARED }];
    expect(await site.refresh(id)).toMatchObject({ new_imported: 0, new_skipped: 1, last_skipped });
    expect(await site.refresh(id)).toMatchObject({ new_imported: 0, new_skipped: 0 });
  });

  test("and keeps no other one from coming that waits for its turn", async () => {
    const author = await site.author();
    const host = blog();
    const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toUTCString();
    const newer = Array.from({ length: 100 }, (_, index) => ({
      title: `Post ${index}`,
      date: day(60 - index / 10),
    }));
    const both = [2, 1].map((number) => ({
      title: `Twin ${number}`,
      date: day(number),
      link: `https://${host}/1`,
    }));
    site.says(rss([...newer, ...both]));
    const { id, skipped } = await site.add(author);
    expect(skipped).toBe(0);
    expect(await site.refresh(id)).toMatchObject({ imported: 101, last_skipped: [{ title: "Twin 1" }] });
    expect((await site.articles(author)).at(-1)).toMatchObject({ title: "Twin 2" });
  });
});
