import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { VERSION } from "../src/platform/config.ts";
import { type Migration, ownMigrations, toMigration } from "../src/platform/db/migrations.ts";

/** The schema of the first version; nothing runs beside it. */
const FIRST_VERSION = 9;
/** The digest of the files up to a number that databases have run: a changed one makes each of them "altered". */
const RAN = { upTo: 18, digest: "75bf8f41a6df33029b20d50baa1e3512d96d341fe857e019c1258efe2ee24582" };

const faultsIn = (statements: string, kind: "expand" | "contract in 1.0.0" = "expand") =>
  faultsOf(toMigration("0010-x.sql", `-- ${kind}\n\n${statements}`));

const numberOf = ({ name }: { name: string }) => Number.parseInt(name, 10);

test("each migration may run beside the versions before it, or says that it contracts", async () => {
  const migrations = await ownMigrations();
  expect(migrations.length).toBeGreaterThanOrEqual(FIRST_VERSION);
  const numbers = migrations.map(numberOf);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  const later = migrations.filter(({ name }) => Number.parseInt(name, 10) > FIRST_VERSION);
  expect(later.flatMap((one) => faultsOf(one).map((fault) => `${one.name} ${fault}`))).toEqual([]);
});

test("files that databases have run stay as they are, to the letter", async () => {
  const ran = (await ownMigrations()).filter(({ name }) => Number.parseInt(name, 10) <= RAN.upTo);
  const digest = createHash("sha256")
    .update(ran.map(({ checksum }) => checksum).join(" "))
    .digest("hex");
  expect(digest).toBe(RAN.digest);
});

test("a migration names its kind in its first line, and one that contracts the version that runs it", () => {
  const wrong = [
    "create table x ();",
    "\n-- expand\n",
    "-- expands\n",
    "-- expand in 1.0.0",
    "-- contract in 1",
    "-- contract",
  ];
  for (const text of wrong)
    expect(() => toMigration("0010-x.sql", text)).toThrow(
      '0010-x.sql must begin with "-- expand" or "-- contract in 1.2.0", the version that runs it.',
    );
  const isDue = (version: string) => toMigration("0010-x.sql", `-- contract in ${version}\n`).isDue;
  expect([isDue("0.0.9"), isDue(VERSION), isDue("999.0.0")]).toEqual([true, true, false]);
});

test.each([
  ["drop table listings;", "drops"],
  ["truncate outbox;", "drops"],
  ["do $$ begin execute 'drop table users'; end $$;", "hides"],
  ["alter table users drop column summary;", "drops"],
  ["alter table users\n  add column mood text,\n  drop constraint users_name_check;", "drops"],
  ["alter table users rename column name to title;", "renames"],
  ["ALTER TABLE users RENAME TO people;", "renames"],
  ["alter table users alter column id type bigint;", "changes a type"],
  ["alter table users alter column summary set not null;", "sets not null"],
  ["alter table users add column mood text default random()::text;", "a default that is not constant"],
  ["alter table users alter column name set default current_user;", "a default that is not constant"],
  ["alter table users add column mood text not null;", "older programs don't fill"],
  ["alter table users add column n int generated always as (id + 1) stored;", "for each row"],
  ["alter table users add column n int unique;", "an index beside which nothing"],
  ["alter table users add constraint c check (id > 0);", "add `not valid`"],
  ["create index users_names on users (name);", "not concurrently"],
  ["create table moods (id int);\ncreate index on_users on users (name);", "not concurrently"],
  ["create index concurrently if not exists a on users (name);\nselect 1;", "is more than"],
  ["create index concurrently users_names on users (name);", "is more than"],
])("an expanding file is refused with: %s", (statements, fault) => {
  expect(faultsIn(statements)).toEqual([expect.stringContaining(fault)]);
});

test.each([
  "create table moods (id int primary key, name text unique, at timestamptz default now());\ncreate index moods_names on moods (name);\nalter table moods add constraint c check (id > 0);",
  "alter table users add column mood text;",
  "alter table users alter column name drop not null, alter column name drop default;",
  "alter table users\n  drop constraint users_name_check,\n  add constraint users_name_check check (name <> '') not valid;",
  "alter table users add column mood text not null default 'drop it; rename it', add column n int default 0;",
  "alter table users add column moods text[] not null default '{}'::text[];",
  "alter table users add constraint c check (id > 0) not valid;",
  "-- Nothing to drop here.\ncreate or replace function f() returns int language sql as $$ select 1; drop $$;",
  "create index concurrently if not exists users_names\n  on users (name)\n  where name <> ';';",
])("an expanding file may have: %s", (statements) => {
  expect(faultsIn(statements)).toEqual([]);
});

test("a contracting file may remove and rename, and builds no index beside reads and writes", () => {
  expect(
    faultsIn("alter table users drop column summary, rename name to title;", "contract in 1.0.0"),
  ).toEqual([]);
  expect(faultsIn("create index concurrently if not exists a on users (name);", "contract in 1.0.0")).toEqual(
    ["builds indexes in a contracting file"],
  );
});

/** Statements whose parts are one space apart, without comments and what stands in quotes. */
function statementsOf({ statements }: Migration): string[] {
  return statements
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .split(";")
    .map((text) => text.trim().replaceAll(/\s+/g, " ").toLowerCase())
    .filter((text) => text !== "");
}

const CONSTANT = /^(?:''|true|false|null|-?\d+(?:\.\d+)?)(?:::[a-z_]+(?:\[\])?)?(?: |,|$)/;

/** What an older program or its queries don't survive, by the words of a statement about a table that isn't new. */
const ALTERATIONS: [words: RegExp, fault: string][] = [
  [/ rename /, "renames"],
  // A check may be replaced in the same statement, by a weaker one: it refuses no row of an older program.
  [/ drop (?!not null|default|constraint (\S+_check)\b.* add constraint \1 check\b)/, "drops"],
  [/ alter (?:column )?\S+ (?:set data )?type /, "changes a type"],
  [/ set not null/, "sets not null"],
  [/ set schema /, "moves a table"],
  [
    / add (?:column )?(?!constraint)[^,]* (?:generated|(?:small|big)?serial)\b/,
    "computes a column for each row",
  ],
  [/ (?:unique|primary key|exclude)\b/, "builds an index beside which nothing can be written"],
  [/ add (?:constraint \S+ )?(?:check|foreign key)\b(?!.* not valid)/, "checks each row: add `not valid`"],
];

const CONCURRENT = /^create (?:unique )?index concurrently if not exists \w+ on /;

/** Why a file must not run beside an older program, by statement; nothing for one that may. */
function faultsOf(migration: Migration): string[] {
  const statements = statementsOf(migration);
  if (statements.some((text) => / concurrently /.test(text))) return faultsBeside(migration, statements);
  if (migration.kind === "contract") return [];
  const created = new Set(statements.flatMap((text) => /^create table (\S+)/.exec(text)?.[1] ?? []));
  return statements.flatMap((text) => {
    const fault = faultOf(text, created);
    return fault === undefined ? [] : `${fault}: ${text}`;
  });
}

/** A file that builds indexes beside reads and writes runs outside of a transaction, in parts. */
function faultsBeside({ kind }: Migration, statements: string[]): string[] {
  const others = statements.filter((text) => !CONCURRENT.test(text));
  return [
    ...(kind === "contract" ? ["builds indexes in a contracting file"] : []),
    ...others.map((text) => `is more than \`create index concurrently if not exists\`: ${text}`),
  ];
}

function faultOf(text: string, created: Set<string>): string | undefined {
  if (/^(?:drop|truncate|do|lock|reindex|cluster|vacuum) /.test(text)) return "drops, blocks or hides";
  const indexed = /^create (?:unique )?index \w+ on (?:only )?([^\s(]+)/.exec(text)?.[1];
  if (indexed !== undefined && !created.has(indexed)) return "builds an index, but not concurrently";
  const [, altered, change = ""] = /^alter table (?:if exists )?(?:only )?(\S+)(.*)$/.exec(text) ?? [];
  if (altered !== undefined) return created.has(altered) ? undefined : faultOfChange(change);
  return /^alter (?!table).*? rename /.test(text) ? "renames" : undefined;
}

function faultOfChange(change: string): string | undefined {
  const known = ALTERATIONS.find(([words]) => words.test(change));
  if (known !== undefined) return known[1];
  const defaults = [...change.matchAll(/ default (?=(.*))/g)].map(([, rest = ""]) => rest);
  if (defaults.some((rest) => !CONSTANT.test(rest))) return "has a default that is not constant";
  const added = change.split(/,(?= (?:add|alter|drop) )/).filter((part) => part.startsWith(" add "));
  const needed = added.some((part) => / not null/.test(part) && !/ default /.test(part));
  return needed ? "adds a column that older programs don't fill" : undefined;
}
