import type { Caller } from "./actor.ts";
import type { ResponseCache } from "../platform/cache.ts";
import type { Databases } from "../platform/db/connect.ts";
import type { AppError } from "../platform/errors.ts";
import type { Buckets } from "../platform/limits/buckets.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import type { Answer, Asked } from "./answers.ts";
import type { Access, Authenticator, KeyFault } from "./auth.ts";
import type { ErrorPage, FormerPage } from "./errors.ts";
import type { KeepAnswer } from "./kept-answers.ts";
import type { Parameter } from "./parameters.ts";
import type { SessionCookie } from "./session-cookie.ts";

declare module "fastify" {
  interface FastifyInstance {
    authenticate: Authenticator;
    buckets: Buckets;
    cache: ResponseCache;
    /** Undefined without a cache in front. */
    edgeControl: string | undefined;
    /** Undefined in a server without the site. */
    errorPage: ErrorPage | undefined;
    formerPage: FormerPage | undefined;
    db: Databases;
    keepAnswer: KeepAnswer;
    metrics: Metrics;
    sessionCookie: SessionCookie;
  }

  interface FastifyContextConfig {
    /** Required: the server doesn't start otherwise. */
    access?: Access;
    /** Makes the answer to an anonymous request out of memory alone, and fails at once where that needs more. */
    atHand?: (asked: Asked<never>) => Promise<Answer>;
    /** Lists the faults by field, instead of one sentence. */
    fieldErrors?: boolean;
    /** A form whose POST by a stranger leads to signing in, with its fields, instead of a refusal of its head. */
    asksToSignIn?: boolean;
    /** A request with an `Idempotency-Key` has its effect once. Its handler writes by `runWrite`. */
    idempotent?: boolean;
    /** Pages of other sites may read it, as they may read the API. */
    isFeed?: boolean;
    isPage?: boolean;
    /** Counts as a read, whatever its method. */
    isRead?: boolean;
    /** Only clients for Forem get plain JSON, as the published interface has it for search. */
    isSearch?: boolean;
    /** Counts its requests like those of the API. */
    limited?: boolean;
    parameters?: { query: Parameter[]; path: Parameter[] };
    /** Whether a request is refused that says `If-Match` of another version. Its verb checks it with `ifMatch`. */
    versioned?: boolean;
  }

  interface FastifyRequest {
    /** Set for requests with an `Idempotency-Key`. */
    bodyDigest: Buffer | undefined;
    caller: Caller | undefined;
    keyFault: KeyFault;
    /** The known parameters with a value, as they were written. */
    given: Record<string, string>;
    /** Makes the request free: a caller got a 304. */
    giveBack: (() => void) | undefined;
    /** No shared cache may store answers of a private community. */
    inPrivate: boolean;
    /** Whether the community asks the user of the session for a second factor that they don't have. */
    lacksFactor: boolean;
    /** Why a member's form is not taken, which its page says beside what was typed. */
    refused: AppError | undefined;
    /** Warnings about the body, which the response of a write contains. */
    warnings: string[];
  }
}
