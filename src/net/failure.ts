export type FailureKind =
  /** A private network, or a name of one. */
  | "address"
  /** Nothing that is fetched at all: scheme, port, user name, grammar. */
  | "url"
  | "timeout"
  | "size"
  | "redirect"
  | "unreachable"
  /** What came back isn't HTTP, or can't be decoded. */
  | "answer"
  /** The caller, or the end of the process, stopped it. */
  | "stopped";

/**
 * Why nothing was fetched. The message is a sentence for users: it names the host as it was asked for, never an address
 * that a name resolved to, nor anything the other side said.
 */
export class FetchFailure extends Error {
  override name = "FetchFailure";
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** What the libraries below call it, and what it is to users. */
const KINDS: Readonly<Record<string, readonly [FailureKind, (host: string) => string]>> = {
  ENOTFOUND: ["unreachable", (host) => `There is no server named ${host}.`],
  EAI_AGAIN: ["unreachable", (host) => `The name ${host} couldn't be looked up.`],
  ECONNREFUSED: ["unreachable", (host) => `${host} refuses connections.`],
  ETIMEDOUT: ["timeout", (host) => `${host} didn't answer in time.`],
  UND_ERR_CONNECT_TIMEOUT: ["timeout", (host) => `${host} didn't answer in time.`],
  UND_ERR_HEADERS_OVERFLOW: ["size", (host) => `The headers of ${host}'s answer are too large.`],
};

/** Puts what went wrong on the way to this host into words of our own. */
export function toFailure(error: unknown, host: string): FetchFailure {
  if (error instanceof FetchFailure) return error;
  const code = codeOf(error);
  const known = KINDS[code];
  if (known) return new FetchFailure(known[0], known[1](host), error);
  if (/^(HPE_|Z_|ERR__ERROR|ERR_BROTLI|UND_ERR_(RES|HEADERS))/.test(code)) {
    return new FetchFailure("answer", `${host}'s answer can't be understood.`, error);
  }
  if (/CERT|TLS|SSL|UNABLE_TO/.test(code)) {
    return new FetchFailure("unreachable", `No secure connection to ${host} can be made.`, error);
  }
  return new FetchFailure("unreachable", `The connection to ${host} failed.`, error);
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "";
}
