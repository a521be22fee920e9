import type { IncomingHttpHeaders } from "node:http";

/**
 * The compatibility profile: what a client that was written for Forem expects and the published
 * interface says otherwise. Everything of it is here, but for search, whose pages 0 and 1 are the
 * same to such a client.
 */
const FOREM_TYPE = "application/vnd.forem.api-v1+json";

/** The names that the profile adds beside the published ones. */
const ALSO_CALLED = { microblog_username: "twitter_username", codehost_username: "github_username" } as const;

/** Whether a request comes from a client that was written for Forem. */
export function isForemClient({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers.accept?.toLowerCase().includes(FOREM_TYPE) ?? false;
}

/** The same JSON with the names that such a client knows beside the published ones. */
export function toForem(body: string): string {
  return JSON.stringify(JSON.parse(body), (_key, value: unknown) => withOldNames(value));
}

function withOldNames(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("microblog_username" in value)) return value;
  const entries = Object.entries(value).flatMap(([key, held]) => {
    const old = ALSO_CALLED[key as keyof typeof ALSO_CALLED] as string | undefined;
    return old === undefined ? [[key, held] as const] : [[key, held] as const, [old, held] as const];
  });
  return Object.fromEntries(entries);
}
