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
  | "stopped"
  /** Its turn didn't come in time: nothing was tried, and it may be as soon as there is room. */
  | "busy";

/**
 * Why nothing was fetched. The message is a sentence for users: it names the host as it was asked for, never an address
 * that a name resolved to, nor anything the other side said.
 */
export class FetchFailure extends Error {
  override name = "FetchFailure";
  readonly kind: FailureKind;
  /** What the libraries below call it, for logs. Not the error itself, which holds addresses and what was received. */
  readonly code: string | undefined;

  constructor(kind: FailureKind, message: string, code?: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

/** A name that isn't found in time is as slow as a host that doesn't answer. */
export function slowHost(host: string): FetchFailure {
  return new FetchFailure("timeout", `${host} didn't answer in time.`);
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
  if (known) return new FetchFailure(known[0], known[1](host), code);
  if (/CERT|_TLS_|_SSL_|UNABLE_TO|HOSTNAME_MISMATCH/.test(code)) {
    return new FetchFailure("unreachable", `No secure connection to ${host} can be made.`, code);
  }
  if (/^(HTTPParserError|HPE_|Z_|ERR_|UND_ERR_(RES|HEADERS))/.test(code)) {
    return new FetchFailure("answer", `${host}'s answer can't be understood.`, code);
  }
  return new FetchFailure("unreachable", `The connection to ${host} failed.`, code);
}

function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return String(code ?? name);
}
