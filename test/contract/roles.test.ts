import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as settings from "../../src/settings/settings.ts";
import type { Reply } from "../world.ts";
import { CANARY, type Cast, ROLES, type Role, startCast } from "./cast.ts";
import { createJudge, describe as describeApi, type Operation } from "./description.ts";
import { requestFor } from "./requests.ts";
import { CREATION_BY_ADMINS as CREATION, OPEN, ROWS, type Row } from "./role-table.ts";
import { snapshot } from "./snapshot.ts";

let cast: Cast;
let operations: Map<string, Operation>;
let faultsOf: (operation: Operation, reply: Reply) => string[];
beforeAll(async () => {
  cast = await startCast();
  const described = describeApi(cast.world.app).operations;
  operations = new Map(described.map((one) => [`${one.method} ${one.path}`, one]));
  faultsOf = createJudge(cast.world.app);
});
afterAll(() => cast.world.stop());

/** What somebody in a role sends: about something of their own, if they are the owner in one way or another. */
async function prepare({ operation: name, state }: Pick<Row, "operation" | "state">, role: Role) {
  const { people, make, keyOf } = cast;
  const operation = operations.get(name);
  if (operation === undefined) throw new Error(`There is no operation ${name}`);
  const author = role === "suspended" ? people.suspended : people.owner;
  const subject = state === undefined ? { id: 0, slug: "" } : await make(operation.path, author, state);
  const call = { ...requestFor(operation, { ...subject, author }), key: keyOf(role) };
  return { operation, send: () => cast.world.request(call) };
}

test("every operation has a row, and every row an operation", () => {
  const named = new Set(ROWS.map(({ operation }) => operation));
  expect([...operations.keys()].filter((name) => !named.has(name))).toEqual([]);
  expect([...named].filter((name) => !operations.has(name))).toEqual([]);
});

describe("everybody gets their status, an answer by the schema, and changes nothing by what is refused", () => {
  test.each(ROWS)("$operation, $state", async (row) => {
    const actual: Partial<Record<Role, number>> = {};
    for (const role of ROLES) {
      const { operation, send } = await prepare(row, role);
      const before = await snapshot(cast.world.db);
      const reply = await send();
      actual[role] = reply.status;
      expect([role, faultsOf(operation, reply)]).toEqual([role, []]);
      if (reply.status < 400) continue;
      expect([role, reply.text.includes(CANARY)]).toEqual([role, false]);
      expect([role, await snapshot(cast.world.db)]).toEqual([role, before]);
    }
    expect(actual).toEqual(row.expected);
    expect(cast.world.bugs).toEqual([]);
  });
});

describe("of a private community nobody without a valid key learns anything", () => {
  beforeAll(() => settings.set(cast.world.db, "visibility", "private"));
  afterAll(() => settings.set(cast.world.db, "visibility", "public"));

  test.each(ROWS)("$operation, $state", async (row) => {
    const actual: Partial<Record<Role, number>> = {};
    const expected: Partial<Record<Role, number>> = { stranger: row.expected.stranger };
    for (const role of ["anonymous", "suspended", "revoked", "expired", "stranger"] as const) {
      expected[role] ??= OPEN.has(row.operation) ? row.expected[role] : 401;
      actual[role] = (await (await prepare(row, role)).send()).status;
    }
    expect(actual).toEqual(expected);
  });
});

describe("where only admins write articles, nobody else makes one, and everything else stays as it is", () => {
  beforeAll(() => settings.set(cast.world.db, "posting", "admins"));
  afterAll(() => settings.set(cast.world.db, "posting", "everyone"));

  test.each(ROWS.filter(({ operation }) => !operation.startsWith("GET")))(
    "$operation, $state",
    async (row) => {
      const actual: Partial<Record<Role, number>> = {};
      for (const role of ROLES) {
        actual[role] = (await (await prepare(row, role)).send()).status;
      }
      expect(actual).toEqual(row.operation === CREATION.operation ? CREATION.expected : row.expected);
    },
  );
});
