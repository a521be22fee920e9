import { expect, test } from "vitest";
import { commandsWith, urlOf } from "../../../test/commands.ts";
import { databaseForAll } from "../../../test/own-database.ts";

const database = databaseForAll();
const inkstone = commandsWith(() => ({ DATABASE_URL: urlOf(database.name) }));

const URL = "https://elsewhere.example/lena.png";
const COVER = "https://loomcast.example/cover.png";

test("inkstone image lists what isn't here yet, with the reason, and has it fetched again", async () => {
  const { db } = database;
  expect((await inkstone("image", "list")).out).toBe("There are no images left to fetch.\n");
  expect((await inkstone("image", "refresh")).out).toBe("0 images will be fetched by the running server.\n");

  const names = [
    { username: "lena", kind: "user" },
    { username: "loomcast", kind: "podcast" },
  ];
  await db.insertInto("handles").values(names).execute();
  await db.insertInto("users").values({ username: "lena", name: "Lena", profile_image: URL }).execute();
  await db.insertInto("podcasts").values({ slug: "loomcast", title: "L", image_url: COVER }).execute();
  expect((await inkstone("image", "list")).out).toMatch(
    /^lena {2}https:\/\/elsewhere\.example\/lena\.png {2}next at \d{4}-\d\d-\d\d [\d:]{8} UTC\nloomcast {2}/,
  );

  const failure = "The other server responds with 404 instead of an image.";
  await db.deleteFrom("fetches").execute();
  await db.updateTable("remote_pictures").set({ failure }).execute();
  expect((await inkstone("image", "list")).out).toBe(
    `lena  ${URL}  given up: ${failure}\nloomcast  ${COVER}  given up: ${failure}\n`,
  );
  expect(JSON.parse((await inkstone("image", "list", "--json")).out)).toEqual([
    { kind: "user", username: "lena", url: URL, failure, due_at: null },
    { kind: "podcast", username: "loomcast", url: COVER, failure, due_at: null },
  ]);

  expect(JSON.parse((await inkstone("image", "refresh", "--json")).out)).toEqual({ due: 2 });
  const again = JSON.parse((await inkstone("image", "list", "--json")).out);
  expect(again).toMatchObject([{ username: "lena" }, { username: "loomcast" }]);
  for (const { failure, due_at } of again) {
    expect(failure).toBeNull();
    expect(new Date(due_at).getTime()).toBeLessThanOrEqual(Date.now());
  }
});
