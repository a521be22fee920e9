import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject } from "typebox";
import type { Author, Caller } from "./actor.ts";
import type { Context, Services } from "../context.ts";
import type { Db } from "../platform/db/connect.ts";
import type { Slice } from "../platform/db/values.ts";
import { type Answer, answer, type Asked, ifMatch, privateAnswer } from "./answers.ts";
import type { App } from "./app-type.ts";
import { withMemoryAlone } from "./at-hand.ts";
import type { Access } from "./auth.ts";
import { cutCounted } from "./pages.ts";
import { type Answers, CACHE_HEADERS, fieldErrors, responsesOf } from "./responses.ts";
import type { listPage } from "./schema.ts";
import type { RunWrite, WriteResult } from "./run-write.ts";

export interface Program extends Context, Services {
  baseUrl: string;
  runWrite: RunWrite;
}

export type Mount = (app: App, program: Program) => void | Promise<void>;

type Nothing = TObject<{}>;

interface Declaration<Query extends TObject = TObject, Params extends TObject = TObject> {
  /** Its method, and its path in Fastify's form. A PUT is also a PATCH. */
  path: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`;
  /** Its name in the document and in metrics. */
  id: string;
  access: Access;
  summary: string;
  description?: string;
  params?: Params;
  query?: Query;
  config?: Omit<FastifyContextConfig, "access">;
}

interface Operation<Query extends TObject = TObject, Params extends TObject = TObject> extends Declaration<
  Query,
  Params
> {
  body?: object;
  bodyLimit?: number;
  responses: Record<number, object>;
  run(request: Request<Query, Params>, reply: FastifyReply, program: Program): Promise<FastifyReply>;
  atHand?: ((asked: Asked<never>, program: Program) => Promise<Answer>) | undefined;
}

type Request<Query extends TObject = TObject, Params extends TObject = TObject> = FastifyRequest &
  Requested<Query, Params>;

interface Requested<Query extends TObject, Params extends TObject> extends Asked<Static<Query>> {
  params: Static<Params>;
}

/** Mounts operations, which have one tag in the document. */
export function operations(tag: string, declared: readonly Operation[]): Mount {
  return (app, program) => {
    for (const operation of declared) mount(app, operation, { tag, program });
  };
}

function mount(app: App, operation: Operation, { tag, program }: { tag: string; program: Program }): void {
  const { path, id, summary, description, params, query, body, responses, bodyLimit, atHand } = operation;
  const [method = "", url = ""] = path.split(" ");
  app.route({
    method,
    url,
    ...(bodyLimit !== undefined && { bodyLimit }),
    config: {
      ...operation.config,
      access: operation.access,
      idempotent: method === "POST",
      ...(atHand && { atHand: bindToMemory(atHand, program) }),
    },
    schema: {
      operationId: id,
      summary,
      tags: [tag],
      response: responses,
      ...(description !== undefined && { description }),
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
    },
    handler: (request, reply) => operation.run(request as Request, reply, program),
  });
}

function bindToMemory(atHand: NonNullable<Operation["atHand"]>, program: Program) {
  const inMemory = withMemoryAlone(program);
  return (asked: Asked<never>) => atHand(asked, inMemory);
}

export function operation<Query extends TObject = Nothing, Params extends TObject = Nothing>(
  declared: Operation<Query, Params>,
): Operation {
  return declared;
}

/** The response to these is the caller's own. */
const OWN = ["key", "admin"] as const satisfies Access[];

type Own<A extends Access> = A extends (typeof OWN)[number] ? { caller: Caller } : unknown;

type ReadAccess = "public" | "open" | (typeof OWN)[number];

const isOwn = ({ access }: { access: ReadAccess }) => OWN.some((one) => one === access);

interface Read<A extends ReadAccess, Query extends TObject, Params extends TObject> extends Declaration<
  Query,
  Params
> {
  access: A;
  answers: Answers;
  run(asked: Requested<Query, Params> & Own<A>, program: Program): Promise<Answer>;
  /** The response to a caller, where it isn't the public one. */
  runFor?(
    asked: Requested<Query, Params> & { caller: Caller },
    program: Program,
  ): Promise<Answer | undefined>;
  /** Anonymous requests are answered out of memory, where that has all that `run` needs. */
  atHand?: true;
}

/** Its access says whether the response is the caller's own, or the public one that the cache keeps. */
export function read<
  A extends ReadAccess,
  Query extends TObject = Nothing,
  Params extends TObject = Nothing,
>({ run, runFor, answers, atHand: isAtHand, ...declared }: Read<A, Query, Params>): Operation {
  type Asking = Requested<Query, Params> & { caller: Caller } & Own<A>;
  return operation({
    ...declared,
    responses: responsesOfRead({ answers, ...declared }),
    async run(request: FastifyRequest & Asking, reply, program) {
      const own = isOwn(declared)
        ? await run(request, program)
        : request.caller && (await runFor?.(request, program));
      if (own !== undefined) return privateAnswer(request, reply, own);
      return answer(request, reply, (db) => run(request, { ...program, db }));
    },
    atHand: isAtHand && ((asked, program) => run(asked as typeof asked & Asking, program)),
  });
}

interface Described {
  access: ReadAccess;
  params?: TObject;
  answers: Answers;
}

export function responsesOfRead({ access, params, answers }: Described): Record<number, object> {
  const headers = isOwn({ access }) ? answers.headers : { ...CACHE_HEADERS, ...answers.headers };
  return responsesOf({ ...answers, ...(headers && { headers }) }, [
    304,
    ...(access === "open" ? [] : ([401] as const)),
    ...(params ? ([404] as const) : []),
  ]);
}

interface List<A extends ReadAccess, Query extends TObject, Params extends TObject, Row> extends Omit<
  Read<A, Query, Params>,
  "run" | "runFor" | "atHand"
> {
  query: Query;
  rows(asked: Requested<Query, Params> & Own<A>, program: Program, slice: Slice): Promise<Row[]>;
  count?(asked: Requested<Query, Params> & Own<A>, program: Program): Promise<number>;
  show(row: Row, program: Program): object;
}

type Pages = TObject<Pick<ReturnType<typeof listPage>, "page" | "per_page">>;

/** A read of a list in pages that are counted from 1. */
export function list<A extends ReadAccess, Query extends Pages, Row, Params extends TObject = Nothing>({
  rows: load,
  count,
  show,
  ...declared
}: List<A, Query, Params, Row>): Operation {
  return read<A, Query, Params>({
    ...declared,
    async run(request, program) {
      const asked = { request, baseUrl: program.baseUrl, ...(request.query as Static<Pages>) };
      const total = count && (() => count(request, program));
      const { rows, headers } = await cutCounted(asked, (slice) => load(request, program, slice), total);
      return { body: JSON.stringify(rows.map((row) => show(row, program))), headers };
    },
  });
}

interface Write<Result, Row, Params extends TObject> extends Declaration<TObject, Params> {
  access: "write";
  body?: object;
  bodyLimit?: number;
  answers: Answers;
  /** An example of the faults by attribute, in place of one sentence. */
  fieldErrors?: Record<string, string[]>;
  /** The JSON text of a read of the row, which `If-Match` is compared with. */
  version?(row: Row, program: Program): string;
  /** Annotate its parameter: the type `Result` is inferred from it. */
  show?(result: Result, program: Program, tx: Db): Shown | Promise<Shown>;
  /** Calls a verb. */
  run(actor: Author<Result>, sent: Sent<Row, Params>, program: Program): Promise<Result>;
}

interface Sent<Row, Params extends TObject> {
  params: Static<Params>;
  query: Static<TObject>;
  body: unknown;
  ifMatch: ((row: Row) => void) | undefined;
}

export interface Shown extends Omit<WriteResult, "status" | "headers"> {
  location?: string;
}

export function write<Result = void, Row = never, Params extends TObject = Nothing>({
  answers,
  fieldErrors: faults,
  version,
  show,
  run,
  ...declared
}: Write<Result, Row, Params>): Operation {
  const responses = responsesOf(answers, [401, ...(declared.params ? ([404] as const) : []), 422]);
  return operation({
    ...declared,
    responses: { ...responses, ...(faults && fieldErrors(faults)) },
    config: { versioned: version !== undefined, fieldErrors: faults !== undefined, ...declared.config },
    run(request: FastifyRequest & Requested<TObject, Params>, reply, program) {
      const { params, query, body } = request;
      const unchanged = version && ifMatch(request, (row: Row) => version(row, program));
      return program.runWrite(request, reply, {
        verb: (actor: Author<Result>) => run(actor, { params, query, body, ifMatch: unchanged }, program),
        async show(result, tx) {
          const { location, ...shown } = (await show?.(result, program, tx)) ?? { body: "" };
          const headers = location !== undefined && { headers: { location: program.baseUrl + location } };
          return { status: answers.status, ...shown, ...headers };
        },
      });
    },
  });
}
