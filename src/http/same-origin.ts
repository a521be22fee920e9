import type { FastifyRequest } from "fastify";
import { parseUrl } from "../text/urls.ts";
import { isOfApi } from "./parameters.ts";

const READS = ["GET", "HEAD", "OPTIONS"];

/**
 * Whether a request may write outside the API, where browsers send cookies by themselves: browsers tell with
 * `Sec-Fetch-Site` that a page of this site made it. Those that don't tell, and all over plain HTTP, send `Origin`.
 */
export function isOfThisSite({ method, url, headers }: FastifyRequest, baseUrl: string): boolean {
  if (READS.includes(method) || isOfApi(url)) return true;
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin, host } = headers;
  const from = origin === undefined ? undefined : parseUrl(origin);
  if (from === undefined) return false;
  const own = new URL(baseUrl);
  const isSecureEnough = own.protocol !== "https:" || from.protocol === "https:";
  return isSecureEnough && (from.host === host || from.host === own.host);
}
