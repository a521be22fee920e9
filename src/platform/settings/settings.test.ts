import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FIELDS } from "./fields.ts";
import * as settings from "./settings.ts";
import { worldForAll } from "../../../test/world.ts";

describe("settings of the community", () => {
  const world = worldForAll();
  test("have their defaults until they are set", async () => {
    expect(await settings.read(world.db)).toMatchObject({
      visibility: "public",
      read_rate: 30,
      community_name: "Inkstone",
    });
    await settings.set(world.db, "read_rate", "7");
    await settings.set(world.db, "community_name", "Loom Folk");
    expect(await settings.read(world.db)).toMatchObject({ read_rate: 7, community_name: "Loom Folk" });
  });

  test("limits are stored as what passes, at least once", async () => {
    expect(settings.defaults()).toMatchObject({
      article_create_limit: 10,
      article_create_new_account_limit: 2,
      article_update_limit: 31,
      image_upload_limit: 10,
      listing_create_limit: 2,
      reaction_create_limit: 11,
      follow_limit: 500,
    });
    await expect(settings.set(world.db, "image_upload_limit", "0")).rejects.toThrow(
      'image_upload_limit must be a whole number from 1 to 100000, not "0".',
    );
  });

  test.each([
    ["no_such", "1", 'There is no setting "no_such". Known are: community_name,'],
    ["constructor", "1", 'There is no setting "constructor"'],
    ["visibility", "hidden", 'visibility must be one of public, private, not "hidden".'],
    ["read_rate", "-1", 'read_rate must be a whole number from 1 to 100000, not "-1".'],
    ["contact_email", "nope", 'contact_email must be an e-mail address, or empty, not "nope".'],
    ["accent_color", "red", 'accent_color must be a colour such as #b3402e, not "red".'],
    [
      "logo_url",
      "http://other.example/logo.png",
      "logo_url must be a path of an image of this site, an https address, or empty, not",
    ],
    ["logo_url", "//other.example/logo.png", "logo_url must be a path of an image"],
    ["logo_url", "javascript:alert(1)", "logo_url must be a path of an image"],
    [
      "navigation_links",
      "Tags | /tags\n\nNo address\nShop | https://shop.example/",
      'navigation_links must be lines such as Tags | /tags or Shop | https://shop.example/, at most 2000 characters, not "No address".',
    ],
    ["navigation_links", "Tags | /tags\n | /wool", 'not " | /wool".'],
    ["navigation_links", "Bad | javascript:alert(1)", 'not "Bad | javascript:alert(1)".'],
    ["navigation_links", "One | /two | /three", 'not "One | /two | /three".'],
    ["community_name", "", 'community_name must be a text of 1 to 100 characters, not "".'],
  ])("%s = %j is refused, and nothing changes", async (key, value, sentence) => {
    const before = await settings.read(world.db);
    await expect(settings.set(world.db, key, value)).rejects.toThrow(sentence);
    expect(await settings.read(world.db)).toEqual(before);
  });

  test("a stored value that this version doesn't know counts as the default", async () => {
    await world.db
      .insertInto("settings")
      .values([
        { key: "visibility", value: '"secret"' },
        { key: "from_the_future", value: "1" },
      ])
      .execute();
    expect(await settings.read(world.db)).toMatchObject({ visibility: "public" });
  });
});

test("every setting is read by something", () => {
  const SRC = join(import.meta.dirname, "../..");
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
    (file) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith("platform/settings/"),
  );
  const source = files.map((file) => readFileSync(join(SRC, file), "utf8")).join("\n");
  const isRead = (key: string) => new RegExp(`[.{,]\\s*${key}\\b`).test(source);
  expect(Object.keys(FIELDS).filter((key) => !isRead(key))).toEqual([]);
});
