import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as settings from "../../src/platform/settings/settings.ts";
import * as sessions from "../../src/community/users/sessions.ts";
import type { Reply } from "../world.ts";
import { CANARY, type Cast, ROLES, type Role, startCast } from "./cast.ts";
import { createJudge, describe as describeApi, type Operation, requestFor } from "./operations.ts";
import { CREATION_BY_ADMINS as CREATION, OPEN, ROWS, type Row } from "./role-table.ts";
import { snapshot } from "../own-database.ts";

let cast: Cast;
let adminCookie: string;
let operations: Map<string, Operation>;
let faultsOf: (operation: Operation, reply: Reply) => string[];
beforeAll(async () => {
  cast = await startCast();
  const described = describeApi(cast.world.app).operations;
  operations = new Map(described.map((one) => [`${one.method} ${one.path}`, one]));
  faultsOf = createJudge(cast.world.app);
  const { db, people } = { ...cast, ...cast.world };
  const beginning = { userId: people.admin.id, network: "", browser: "" };
  adminCookie = `__Host-session=${await sessions.begin(db, beginning, new Date())}`;
});
afterAll(() => cast.world.stop());

type Subject = Awaited<ReturnType<Cast["make"]>>;

/** Articles and listings of one author and state each, for all requests that change nothing. */
const unchanged = new Map<string, Promise<Subject>>();

/** Something of the owner for each role of a row; one for all whose request changes nothing. */
function subjectsOf({ operation, state, expected }: Row, path: string) {
  const { people, make } = cast;
  // A new endpoint of an owner replaces the one before.
  const kept = path.startsWith("/api/webhooks") ? new Map<string, Promise<Subject>>() : unchanged;
  return (role: Role): Promise<Subject> | undefined => {
    if (state === undefined) return undefined;
    const author = authorFor(role, people);
    if (expected[role] < 400 && !operation.startsWith("GET")) return make(path, author, state);
    const kind = `${path.split("/")[2]} ${author.username} ${state}`;
    const made = kept.get(kind) ?? make(path, author, state);
    kept.set(kind, made);
    return made;
  };
}

function authorFor(role: Role, people: Cast["people"]) {
  return role === "suspended" ? people.suspended : people.owner;
}

/** Sends the request of a row as each role. */
function senderOf(row: Row) {
  const operation = operations.get(row.operation);
  if (operation === undefined) throw new Error(`There is no operation ${row.operation}`);
  const subjectOf = subjectsOf(row, operation.path);
  return async (role: Role) => {
    const subject = (await subjectOf(role)) ?? { id: 0, slug: "" };
    // Moderators act on one who may be suspended at the end.
    const isOnUser = /^(?:PUT|DELETE) \/api\/users/.test(row.operation);
    const author = isOnUser ? cast.people.suspended : authorFor(role, cast.people);
    const request = requestFor(operation, { ...subject, author });
    // Who has no key has a session of the admin, which the API never reads.
    const headers = role === "anonymous" ? { ...request.headers, cookie: adminCookie } : request.headers;
    const call = { ...request, key: cast.keyOf(role), ...(headers && { headers }) };
    return { role, operation, send: () => cast.world.request(call) };
  };
}

test("every operation has a row, and every row an operation", () => {
  const named = new Set(ROWS.map(({ operation }) => operation));
  expect([...operations.keys()].filter((name) => !named.has(name))).toEqual([]);
  expect([...named].filter((name) => !operations.has(name))).toEqual([]);
});

describe("everybody gets their status, an answer by the schema, and changes nothing by what is refused", () => {
  test.each(ROWS)("$operation, $state", async (row) => {
    const isRefused = (role: Role) => row.expected[role] >= 400;
    const actual: Partial<Record<Role, number>> = {};
    const prepare = senderOf(row);
    const judge = async ({ role, operation, send }: Awaited<ReturnType<typeof prepare>>) => {
      const reply = await send();
      actual[role] = reply.status;
      expect([role, faultsOf(operation, reply)]).toEqual([role, []]);
      if (isRefused(role)) expect([role, reply.text.includes(CANARY)]).toEqual([role, false]);
    };
    for (const role of ROLES.filter((one) => !isRefused(one))) await judge(await prepare(role));
    const refused = [];
    for (const role of ROLES.filter(isRefused)) refused.push(await prepare(role));
    if (refused.length > 0) {
      const before = await snapshot(cast.world.db);
      for (const prepared of refused) await judge(prepared);
      expect(await snapshot(cast.world.db)).toEqual(before);
    }
    expect(actual).toEqual(row.expected);
    expect(cast.world.bugs).toEqual([]);
  });
});

describe("a private community reveals nothing without a valid key", () => {
  beforeAll(() => settings.set(cast.world.db, "visibility", "private"));
  afterAll(() => settings.set(cast.world.db, "visibility", "public"));

  test.each(ROWS)("$operation, $state", async (row) => {
    const prepare = senderOf(row);
    const actual: Partial<Record<Role, number>> = {};
    const expected: Partial<Record<Role, number>> = { stranger: row.expected.stranger };
    for (const role of ["anonymous", "suspended", "revoked", "expired", "stranger"] as const) {
      expected[role] ??= OPEN.has(row.operation) ? row.expected[role] : 401;
      actual[role] = (await (await prepare(role)).send()).status;
    }
    expect(actual).toEqual(expected);
  });
});

describe("where only admins write articles, others make none, and everything else stays as it is", () => {
  beforeAll(() => settings.set(cast.world.db, "posting", "admins"));
  afterAll(() => settings.set(cast.world.db, "posting", "everyone"));

  test.each(ROWS.filter(({ operation }) => !operation.startsWith("GET")))(
    "$operation, $state",
    async (row) => {
      const prepare = senderOf(row);
      const actual: Partial<Record<Role, number>> = {};
      for (const role of ROLES) {
        actual[role] = (await (await prepare(role)).send()).status;
      }
      expect(actual).toEqual(row.operation === CREATION.operation ? CREATION.expected : row.expected);
    },
  );
});
