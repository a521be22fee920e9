import type { IncomingHttpHeaders } from "node:http";
import { parseCookie, stringifySetCookie } from "cookie";

/** Browsers take a `__Host-` cookie over HTTPS alone, and from this host alone. */
const SECURE_NAME = "__Host-session";
const PLAIN_NAME = "session";

const MAX_AGE_SECONDS = 90 * 86_400;

export interface SessionCookie {
  tokenIn(headers: IncomingHttpHeaders): string | undefined;
  holding(token: string): string;
  removal: string;
}

/** No secret signs the cookie: its token is random, and the database knows it. */
export function sessionCookie(baseUrl: string): SessionCookie {
  const secure = baseUrl.startsWith("https:");
  const name = secure ? SECURE_NAME : PLAIN_NAME;
  const mark = `${name}=`;
  const write = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, maxAge, secure, httpOnly: true, sameSite: "lax", path: "/" });
  return {
    tokenIn({ cookie }) {
      return cookie?.includes(mark) ? parseCookie(cookie)[name] : undefined;
    },
    holding: (token) => write(token, MAX_AGE_SECONDS),
    removal: write("", 0),
  };
}
