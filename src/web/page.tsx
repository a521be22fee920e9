import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { AppError } from "../errors.ts";
import { type Answer, answer, type Reader } from "../http/answers.ts";
import { Document, type Head, type Site, themeStyle } from "./layout.tsx";
import { earlyScript } from "./assets.ts";
import { toDocument } from "./html.tsx";

export interface Page extends Head {
  body: ComponentChildren;
  onSent?: (reader: Reader) => void;
  /** All that the page is made from beside the settings, as JSON: while it is the same, the page isn't made again. */
  madeFrom?: unknown;
}

/** A page that has moved for good. */
export interface Moved {
  movedTo: string;
}

export const HTML_TYPE = "text/html; charset=utf-8";

/** The players that a card may be replaced by. */
const PLAYERS = ["https://www.youtube-nocookie.com", "https://player.vimeo.com"];

const digestOf = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;

/**
 * Nothing inline runs but these two texts. Pictures, sounds and players of authors may be elsewhere; those of the site
 * have its usual address, by whatever address a reader came.
 */
export function policy(site: Site): string {
  const { origin } = new URL(site.baseUrl);
  return [
    "default-src 'none'",
    `script-src 'self' ${digestOf(earlyScript())}`,
    `style-src 'self' ${digestOf(themeStyle(site))}`,
    `img-src 'self' ${origin} https: data:`,
    `media-src 'self' ${origin} https:`,
    `frame-src ${PLAYERS.join(" ")}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function toAnswer(site: Site, { madeFrom, ...page }: Page | (Moved & { madeFrom?: undefined })): Answer {
  if ("movedTo" in page) {
    return { body: "", type: HTML_TYPE, status: 301, headers: { location: page.movedTo } };
  }
  return {
    body: () => toDocument(<Document site={site} {...page} />),
    ...(madeFrom !== undefined && {
      madeFrom: hash("sha1", JSON.stringify([site.settings, madeFrom])),
    }),
    type: HTML_TYPE,
    headers: { "content-security-policy": policy(site) },
    ...(page.onSent && { onSent: page.onSent }),
  };
}

/** Answers a page that is the same for all readers, as reads of the API are answered. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, page }: { site: () => Promise<Site>; page: (site: Site) => Promise<Page | Moved> },
): Promise<FastifyReply> {
  return answer(request, reply, async () => {
    const current = await site();
    return toAnswer(current, await page(current));
  });
}

/** A page that was published, and isn't any more. */
export class Gone extends AppError {
  constructor() {
    super("gone", "gone");
  }
}
