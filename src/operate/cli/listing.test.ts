import { beforeAll, expect, test } from "vitest";
import { bytesOf, user } from "../../../test/community-file.ts";
import { commandsForAll, urlOf } from "../../../test/commands.ts";
import { worldForAll } from "../../../test/world.ts";

const program = commandsForAll();
const world = worldForAll();
beforeAll(async () => {});

const inkstone = (args: string[], input?: string) =>
  program.inkstone(args, { env: { DATABASE_URL: urlOf(world.name) }, ...(input !== undefined && { input }) });

/** Asks a server that runs meanwhile. */
async function get(url: string): Promise<unknown> {
  await world.forget();
  return (await world.get(url)).body;
}

test("an imported listing is shown in its category, until the operator hides it", async () => {
  const file = bytesOf([
    user("lena"),
    { type: "listing_category", slug: "lost", name: "Lost and found" },
    {
      type: "listing",
      author: "lena",
      title: "Lost shuttle",
      body_markdown: "Of _cherry_ wood",
      category: "lost",
      tags: ["Wool"],
    },
  ]).toString();
  expect(JSON.parse((await inkstone(["import", "-", "--json"], file)).out)).toMatchObject({ created: 3 });
  const [listing] = (await get("/api/listings/category/lost")) as { id: number }[];
  expect(listing).toMatchObject({
    slug: expect.stringMatching(/^lost-shuttle-[0-9a-p]{8}$/),
    category: "lost",
    listing_category_id: 12,
    processed_html: "<p>Of <em>cherry</em> wood</p>\n",
    tags: ["wool"],
    user: { username: "lena" },
  });
  const id = listing?.id ?? 0;
  const unpublish = ["listing", "unpublish", String(id)];
  expect(await inkstone(unpublish)).toEqual({
    code: 0,
    out: `Listing ${id} is hidden: Lost shuttle\n`,
    err: "",
  });
  expect(await get("/api/listings/category/lost")).toEqual([]);
  expect(await get(`/api/listings/${id}`)).toEqual({ error: "not found", status: 404 });
  const again = await inkstone([...unpublish, "--json"]);
  expect(JSON.parse(again.out)).toEqual({ id, title: "Lost shuttle", changed: false });
  expect((await inkstone(["export", "-", "--only", "listing"])).out).toContain('"published":false');
});

test("inkstone listing unpublish says when there is none", async () => {
  expect(await inkstone(["listing", "unpublish", "999"])).toEqual({
    code: 1,
    out: "",
    err: "inkstone: There is no listing with the id 999.\n",
  });
  expect((await inkstone(["listing", "unpublish", "loom"])).code).toBe(2);
});
