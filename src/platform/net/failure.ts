export type FailureKind =
  | "address"
  /** A bad scheme, port, user name or syntax. */
  | "url"
  | "timeout"
  | "size"
  | "redirect"
  | "unreachable"
  /** The answer is not HTTP, or can't be decoded. */
  | "answer"
  /** The caller or the end of the process stopped it. */
  | "stopped"
  /** The request had no turn in time: nothing was tried. */
  | "busy";

/** The message is a sentence for users. It names the requested host, never a resolved address or received data. */
export class FetchFailure extends Error {
  override name = "FetchFailure";
  readonly kind: FailureKind;
  /** A code for logs: the original error contains addresses and received data. */
  readonly code: string | undefined;

  constructor(kind: FailureKind, message: string, code?: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

export const slowHost = (host: string): FetchFailure =>
  new FetchFailure("timeout", `${host} didn't respond in time.`);

const KINDS: Readonly<Record<string, readonly [FailureKind, (host: string) => string]>> = {
  ENOTFOUND: ["unreachable", (host) => `There is no server named ${host}.`],
  EAI_AGAIN: ["unreachable", (host) => `The name ${host} couldn't be looked up.`],
  ECONNREFUSED: ["unreachable", (host) => `${host} refuses connections.`],
  ETIMEDOUT: ["timeout", (host) => `${host} didn't respond in time.`],
  UND_ERR_CONNECT_TIMEOUT: ["timeout", (host) => `${host} didn't respond in time.`],
  UND_ERR_HEADERS_OVERFLOW: ["size", (host) => `The headers of ${host}'s response are too large.`],
};

export function toFailure(error: unknown, host: string): FetchFailure {
  if (error instanceof FetchFailure) return error;
  const thrown = Object(error) as { code?: unknown; name?: unknown };
  const code = String(thrown.code ?? thrown.name);
  const known = KINDS[code];
  if (known) return new FetchFailure(known[0], known[1](host), code);
  if (/CERT|_TLS_|_SSL_|UNABLE_TO|HOSTNAME_MISMATCH/.test(code))
    return new FetchFailure("unreachable", `No secure connection to ${host} can be made.`, code);
  if (/^(HTTPParserError|HPE_|Z_|ERR_|UND_ERR_(RES|HEADERS))/.test(code))
    return new FetchFailure("answer", `${host}'s response isn't valid HTTP.`, code);
  return new FetchFailure("unreachable", `The connection to ${host} failed.`, code);
}
