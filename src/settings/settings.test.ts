import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";
import * as settings from "./settings.ts";

describe("settings of the community", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

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

  test.each([
    ["no_such", "1", 'There is no setting "no_such". Known are: community_name,'],
    ["constructor", "1", 'There is no setting "constructor"'],
    ["visibility", "hidden", 'visibility must be one of public, private, not "hidden".'],
    ["read_rate", "-1", 'read_rate must be a whole number from 1 to 100000, not "-1".'],
    ["contact_email", "nope", 'contact_email must be an e-mail address, or empty, not "nope".'],
    ["read_rate", "1e3", 'read_rate must be a whole number from 1 to 100000, not "1e3".'],
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
