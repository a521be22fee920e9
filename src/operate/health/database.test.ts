import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { superuserTo } from "../../../test/database.ts";
import { connect } from "../../platform/db/connect.ts";
import * as articleUpkeep from "../../community/articles/upkeep.ts";
import { checkLetters, checkSearch } from "./checks.ts";
import { worldForAll } from "../../../test/world.ts";

describe("the doctor's view of letters", () => {
  const server = connect({ connection: superuserTo("postgres"), poolSize: 1 });
  const name = `inkstone_test_${randomUUID().replaceAll("-", "")}`;
  afterAll(() => server.db.destroy());

  test("names what a locale costs that knows too few", async () => {
    await sql`create database ${sql.id(name)} template template0 encoding 'UTF8' locale 'C'`.execute(
      server.db,
    );
    const site = connect({ connection: superuserTo(name), poolSize: 1 });
    expect((await checkLetters(site.db)).message).toMatch(
      /^Names, comments and listings in scripts such as Cyrillic/,
    );
    await site.db.destroy();
    await sql`drop database ${sql.id(name)} with (force)`.execute(server.db);
  });

  test("is content with a locale that knows them", async () => {
    expect((await checkLetters(server.db)).result).toBe("ok");
  });
});

describe("the doctor's view of search", () => {
  const world = worldForAll();
  test("finds nothing wrong where nothing is published", async () => {
    await world.article(await world.user(), { published: false });
    expect(await checkSearch(world.db)).toEqual({ result: "ok", message: "No articles are published yet." });
  });

  test("counts what is published, and what waits to be indexed again", async () => {
    const author = await world.user();
    const { id } = await world.article(author);
    await world.article(author);
    await world.article(author);
    expect(await checkSearch(world.db)).toEqual({
      result: "ok",
      message: "Published articles: 3, all of them indexed.",
    });
    await sql`update search_rows set search_version = 0 where article_id = ${id}`.execute(world.db);
    const { result, message } = await checkSearch(world.db);
    expect(result).toBe("warn");
    expect(message).toMatch(/^Published articles: 3, 1 of them not yet indexed .*: keep `inkstone serve`/);
    expect(await articleUpkeep.indexAgain(world.db)).toBe(1);
  });
});
