import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { superuserTo } from "../../test/database.ts";
import { startWorld, type World } from "../../test/world.ts";
import { type Connection, connect } from "../db/connect.ts";
import { migrate } from "../db/migrate.ts";
import { checkExtension, checkLetters, checkSearch } from "./doctor-database.ts";

describe("the doctor's view of pg_trgm", () => {
  const server = connect({ connection: superuserTo("postgres"), poolSize: 1 });
  const name = `inkstone_test_${randomUUID().replaceAll("-", "")}`;
  let site: Connection;
  beforeAll(async () => {
    await sql`create database ${sql.id(name)} template template0 encoding 'UTF8' locale 'C'`.execute(
      server.db,
    );
    site = connect({ connection: superuserTo(name), poolSize: 4 });
  });
  afterAll(async () => {
    await site.db.destroy();
    await sql`drop database ${sql.id(name)} with (force)`.execute(server.db);
    await server.db.destroy();
  });

  test("names a locale that knows too few letters before there is a site, and creates nothing", async () => {
    const { result, message } = await checkExtension(site.db);
    expect(result).toBe("warn");
    expect(message).toContain("move to a database made with `createdb --encoding=UTF8 --locale=C.UTF-8");
    const { rows } = await sql`select from pg_extension where extname = 'pg_trgm'`.execute(site.db);
    expect(rows).toEqual([]);
  });

  test("names what such a locale costs: corrections in other scripts, and those alone", async () => {
    await migrate(site);
    await sql`insert into search_words (word, articles_count) values ('deployment', 1), ('развертывание', 1)`.execute(
      site.db,
    );
    expect((await checkLetters(site.db)).message).toMatch(/^Misspelt words in scripts such as Cyrillic/);
  });
});

describe("the doctor's view of search", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

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
    await sql`update article_search set search_version = 0 where article_id = ${id}`.execute(world.db);
    const { result, message } = await checkSearch(world.db);
    expect(result).toBe("warn");
    expect(message).toMatch(/^Published articles: 3, 1 of them not yet indexed .*: keep `inkstone serve`/);
  });
});
