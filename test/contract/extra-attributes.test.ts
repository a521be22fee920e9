import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sample } from "../setup.ts";
import { form, FORM_TYPE, pngOf } from "../pictures.ts";
import type { Call } from "../world.ts";
import { type Cast, startCast, type State } from "./cast.ts";
import { describe as describeApi, type Operation, requestFor, WRAPPED } from "./operations.ts";
import { added, columnsByTable, snapshot } from "../own-database.ts";
import { ROWS } from "./role-table.ts";

let cast: Cast;
let operations: Operation[];
let columns: string[];
beforeAll(async () => {
  cast = await startCast();
  operations = describeApi(cast.world.app).operations;
  const tables = await columnsByTable(cast.world.db);
  columns = [...new Set([...tables.values()].flatMap((table) => [...table.keys()]))].toSorted();
});
afterAll(() => cast.world.stop());

const MARKS = ["77777", "mass-assigned", "2001-02-03"];
const VALUES = [
  77_777,
  "mass-assigned",
  "2001-02-03T04:05:06Z",
  ["mass-assigned"],
  { id: 77_777 },
  true,
  false,
  null,
  "admin",
  "published",
];

type Body = Record<string, unknown>;

/** The same body with every column of every table that isn't an attribute, outside and inside of the wrapper. */
function withExtras(body: Body, value: unknown): Body {
  const wrapped = Object.entries(WRAPPED).flatMap(([name, { attributes }]) =>
    body[name] ? [[name, { ...extras(value, attributes), ...body[name] }]] : [],
  );
  return { ...extras(value), ...body, ...(Object.fromEntries(wrapped) as Body) };
}

function extras(value: unknown, declared: readonly string[] = []): Body {
  return Object.fromEntries(columns.filter((name) => !declared.includes(name)).map((name) => [name, value]));
}

/** Sends it about an article of its own, and says what became of the database. */
async function send(operation: Operation, state: State, change: (body: Body) => Body) {
  const { world, make, people, keyOf } = cast;
  const subject = await make(operation.path, people.owner, state);
  const call: Call = requestFor(operation, { ...subject, author: people.owner });
  const before = await snapshot(world.db);
  const body = change((call.body as Body | undefined) ?? {});
  const reply = await world.request({ ...call, body, key: keyOf("owner") });
  return { reply, rows: added(before, await snapshot(world.db)) };
}

type Sent = Awaited<ReturnType<typeof send>>;

const NAMES = new Set(["state", "role", "kind", "type", "origin"]);

/**
 * What can be compared of the rows of two requests: not their numbers, dates and texts, and not how
 * many words a random title has.
 */
function outline(rows: Record<string, string[]>): Record<string, string[]> {
  const entries = Object.entries(rows).map(([table, list]): [string, string[]] => [
    table,
    [...new Set(list.map((row) => JSON.stringify(JSON.parse(row), outlineOf)))].toSorted(),
  ]);
  return Object.fromEntries(entries);
}

function outlineOf(key: string, value: unknown): unknown {
  const isKept = typeof value === "boolean" || typeof value === "object" || NAMES.has(key);
  return isKept && !Array.isArray(value) ? value : typeof value;
}

/** Writes that take JSON, or nothing; a picture comes in a form. */
const writes = () =>
  operations.filter(({ method, operationId }) => method !== "GET" && operationId !== "uploadImage");

/** Whether the owner may do it in this state; nobody comments on a draft, for instance. */
function isAllowed({ method, path }: Operation, state: State): boolean {
  const rows = ROWS.filter(({ operation }) => operation === `${method} ${path}`);
  const row = rows.find((one) => one.state === state) ?? rows[0];
  return row !== undefined && row.expected.owner < 300;
}

describe("the name of a column that is no attribute", () => {
  const states = ["published", "draft"] as const;
  const plain = new Map<string, Sent>();
  const nameOf = ({ method, path }: Operation, state: State) => `${method} ${path} ${state}`;
  beforeAll(async () => {
    for (const operation of writes()) {
      for (const state of states.filter((one) => isAllowed(operation, one))) {
        plain.set(nameOf(operation, state), await send(operation, state, (body) => body));
      }
    }
  });

  test.each(sample(VALUES, 2))("with the value %j changes nothing of any write", async (value) => {
    expect(plain.size).toBeGreaterThan(5);
    for (const operation of writes()) {
      for (const state of states.filter((one) => isAllowed(operation, one))) {
        const name = nameOf(operation, state);
        const { reply, rows } = plain.get(name) as Sent;
        const extra = await send(operation, state, (body) => withExtras(body, value));
        expect(extra.reply.status, `${name}: ${extra.reply.text}`).toBe(reply.status);
        expect(reply.status).toBeLessThan(300);
        const text = `${extra.reply.text} ${JSON.stringify(extra.rows)}`;
        for (const mark of MARKS) expect([name, mark, text.includes(mark)]).toEqual([name, mark, false]);
        expect([name, outline(extra.rows)]).toEqual([name, outline(rows)]);
      }
    }
    expect(cast.world.bugs).toEqual([]);
  });
});

/** A form takes fifty fields at most, of which one is the image. */
const FIELDS_AT_ONCE = 49;

describe("the name of a column as a field beside an image", () => {
  /** Uploads a picture, and says what became of the database. */
  async function upload(fields: string[], value: string) {
    const { world, keyOf } = cast;
    const before = await snapshot(world.db);
    const parts = fields.map(
      (name) => `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const body = Buffer.concat([Buffer.from(parts.join("")), form(pngOf(2, 2))]);
    const query = new URLSearchParams(fields.map((name) => [name, value]));
    const url = `/api/image_uploads?${fields.length > 0 ? query : ""}`;
    const headers = { "content-type": FORM_TYPE };
    const reply = await world.request({ method: "POST", url, headers, body, key: keyOf("owner") });
    return { reply, rows: added(before, await snapshot(world.db)) };
  }

  test.each(MARKS)("with the value %j changes nothing of an upload", async (value) => {
    const plain = await upload([], value);
    expect(plain.reply.status).toBe(201);
    for (let from = 0; from < columns.length; from += FIELDS_AT_ONCE) {
      const extra = await upload(columns.slice(from, from + FIELDS_AT_ONCE), value);
      expect(extra.reply.status).toBe(201);
      expect(`${extra.reply.text} ${JSON.stringify(extra.rows)}`).not.toContain(value);
      expect(outline(extra.rows)).toEqual(outline(plain.rows));
    }
    expect(cast.world.bugs).toEqual([]);
  });
});
