import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openZip } from "../../src/operate/archives/zip.ts";
import { exportFile } from "../../src/operate/community-file/export.ts";
import { MAX_LINE_BYTES } from "../../src/operate/community-file/lines.ts";
import { COMMUNITY_FILE } from "../../src/operate/importers/inkstone.ts";
import { writeArchive } from "../../src/operate/own-data/own-data.ts";
import { backupOf, openBackup } from "../backups.ts";
import { BASE_URL, startWorld, type World } from "../world.ts";

const NOW = new Date("2026-03-02T10:00:00Z");
const TOTP_SECRET = "PLANTEDPLANTEDPLANTEDPLANTED2345";

/** A row of each table that no export has; their texts and hashes say which table they are from. */
const ROWS: Record<string, (userId: number, text: string, sha256: Buffer) => Record<string, unknown>> = {
  sessions: (user_id, text, sha256) => ({
    sha256,
    user_id,
    created_at: NOW,
    seen_at: NOW,
    confirmed_at: NOW,
    network: text,
    browser: text,
  }),
  link_key: (_, __, key) => ({ key }),
  sign_in_failures: (_, __, sha256) => ({ sha256, failures: 1, since: NOW, blocked_until: NOW }),
  second_factors: (user_id, _, sha256) => ({
    user_id,
    secret: TOTP_SECRET,
    created_at: NOW,
    last_step: 0,
    recovery_codes: [sha256],
  }),
  invitations: (inviter_id, text) => ({
    inviter_id,
    address: text,
    note: text,
    uses_left: 1,
    expires_at: NOW,
    created_at: NOW,
  }),
  sign_ups: (_, text) => ({
    username: text,
    name: text,
    email: text,
    password_hash: text,
    reason: text,
    network: text,
    state: "applied",
    created_at: NOW,
  }),
  unconfirmed_addresses: (user_id, address) => ({ user_id, address, requested_at: NOW }),
  mails: (_, text) => ({
    kind: text,
    address: text,
    about: JSON.stringify({ name: text }),
    reply: text,
    created_at: NOW,
    next_attempt_at: NOW,
  }),
};

function word(table: string): string {
  return `planted-${table}`;
}

function hash(table: string): Buffer {
  return Buffer.from(word(table).padEnd(32, "-"));
}

/** The tables of which a text has something, however bytes are written. */
function found(text: string): string[] {
  const tables = Object.keys(ROWS).filter((table) => {
    const bytes = hash(table);
    return [word(table), bytes.toString("hex"), bytes.toString("base64").slice(0, -4)].some((form) =>
      text.includes(form),
    );
  });
  return text.includes(TOTP_SECRET) ? [...tables, "TOTP secret"] : tables;
}

let world: World;
let folder: string;
let lena: number;
let ada: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "inkstone-planted-"));
  world = await startWorld({ now: NOW });
  lena = (await world.user({ username: "lena", name: "Lena Ortiz", email: "lena@mail.example" })).id;
  ada = (await world.user({ username: "ada", email: "ada@mail.example" })).id;
  for (const [table, make] of Object.entries(ROWS)) {
    const row = make(lena, word(table), hash(table));
    const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
    const values = sql.join(Object.values(row));
    await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(world.db);
  }
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

async function exported(withSecrets: boolean): Promise<string> {
  const file = new PassThrough();
  const reading = text(file);
  await exportFile(world.db, file, { withSecrets });
  file.end();
  return reading;
}

/** The texts of a person's archive by name. */
async function archiveOf(userId: number): Promise<Record<string, string>> {
  const { db, context } = world;
  const sink = new PassThrough();
  const reading = buffer(sink);
  await writeArchive({ db, files: context.files, baseUrl: BASE_URL }, userId, sink);
  sink.end();
  const path = join(folder, `${userId}.zip`);
  await writeFile(path, await reading);
  const zip = await openZip(path);
  const texts: Record<string, string> = {};
  for (const [file, entry] of zip.entries) texts[file] = (await zip.bytes(entry, MAX_LINE_BYTES)).toString();
  zip.close();
  return texts;
}

test("an export has confirmed addresses, and nothing of links, sessions, applications and mails", async () => {
  const plain = await exported(false);
  expect(plain).toContain("lena@mail.example");
  expect(found(plain)).toEqual([]);
});

test("an export with secrets has the secrets of second factors beside, and no recovery code", async () => {
  const secret = await exported(true);
  expect(secret).toContain("lena@mail.example");
  expect(found(secret)).toEqual(["TOTP secret"]);
});

test("the archive of a person has the address that waits for them, which its part for other communities hasn't", async () => {
  const { "profile.json": profile = "", ...files } = await archiveOf(lena);
  expect(profile).toContain("lena@mail.example");
  expect(found(profile)).toEqual(["unconfirmed_addresses"]);
  expect(files[COMMUNITY_FILE]).toContain("Lena Ortiz");
  expect(Object.entries(files).filter(([, content]) => found(content).length > 0)).toEqual([]);
  const others = Object.values(await archiveOf(ada)).join("\n");
  expect(others).toContain("ada@mail.example");
  expect(found(others)).toEqual([]);
});

test("a backup has all but sessions and failures", async () => {
  const { tables } = await openBackup(await backupOf(world));
  const { sessions: _, sign_in_failures: __, ...kept } = ROWS;
  expect(found([...tables.values()].flat().join("\n"))).toEqual([...Object.keys(kept), "TOTP secret"]);
});
