import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { identicon, type Kind, SIDES } from "../content/images/identicon.ts";
import type { Side } from "../content/images/profile-picture.ts";
import { locate } from "../platform/program-files.ts";
import { etagOf, isKnown, letEdgeKeep } from "./answers.ts";
import type { App } from "./app-type.ts";
import { sendRefusal } from "./errors.ts";

const YEAR_SECONDS = 31_536_000;

export const FOREVER = `public, max-age=${YEAR_SECONDS}, immutable`;

/** These headers bind browsers that guess types. */
const SAFE = {
  "content-disposition": "inline",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * Sets the headers of an image.
 * @returns whether a 304 was sent
 */
export function beginImage(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, type, cacheControl }: { etag: string; type: string; cacheControl: string },
): boolean {
  reply.headers({ etag, "cache-control": cacheControl, ...SAFE });
  letEdgeKeep(request, reply);
  if (!isKnown(request, etag)) {
    reply.type(type);
    return false;
  }
  request.giveBack?.();
  reply.code(304).send();
  return true;
}

const FOLDER = locate("../assets/");

const DAY_SECONDS = 86_400;

const PICTURES = ["default-organization-640.png", "social.png"];

const TYPES: Record<string, string> = {
  ".png": "image/png",
  ".webp": "image/webp",
  ".wav": "audio/wav",
  ".webm": "video/webm",
};

/**
 * Serves pictures, with those and the recordings of the demo community. A new version of the program may change them.
 */
export function pictureRoutes(app: App): void {
  const demo = readdirSync(new URL("demo/", FOLDER)).map((name) => `demo/${name}`);
  const pictures = new Set([...PICTURES, ...demo]);
  app.get<{ Params: { "*": string } }>(
    "/assets/*",
    { config: { access: "open" }, schema: { hide: true } },
    async (request, reply) => {
      const name = request.params["*"];
      if (!pictures.has(name)) return sendRefusal(reply, 404);
      const picture = await readFile(new URL(name, FOLDER));
      const etag = etagOf(picture);
      reply.headers({ etag, "cache-control": `public, max-age=${DAY_SECONDS}` });
      if (isKnown(request, etag)) return reply.code(304).send();
      return sendPart(request, reply.type(TYPES[extname(name)] ?? ""), picture);
    },
  );
}

/** The part that a `Range` header names, ends included; undefined for several, none or a strange one: all of it. */
function rangeOf(range: string | undefined, length: number): { from: number; to: number } | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  if (first === undefined) return undefined;
  const from = Number(first);
  const to = last ? Math.min(Number(last), length - 1) : length - 1;
  return from <= to ? { from, to } : undefined;
}

/** Players ask for parts; Safari plays nothing without them. */
function sendPart({ headers }: FastifyRequest, reply: FastifyReply, whole: Buffer): FastifyReply {
  // A browser shows a recording on a page of its own, which has this policy.
  reply.headers({
    "accept-ranges": "bytes",
    "content-security-policy": "default-src 'none'; media-src 'self'; frame-ancestors 'none'",
  });
  const part = "if-range" in headers ? undefined : rangeOf(headers.range, whole.length);
  if (part === undefined) return reply.send(whole);
  const { from, to } = part;
  reply.code(206).header("content-range", `bytes ${from}-${to}/${whole.length}`);
  return reply.send(whole.subarray(from, to + 1));
}

const IDENTICON = new RegExp(`^(user|organization|podcast)-([1-9]\\d{0,9})-(${SIDES.join("|")})\\.png$`);

const MAX_DRAWN_BYTES = 4 * 1024 * 1024;

export function identiconRoutes(app: App): void {
  const drawn = new LRUCache<string, Buffer>({
    maxSize: MAX_DRAWN_BYTES,
    sizeCalculation: ({ length }) => length,
  });
  app.get<{ Params: { name: string } }>(
    "/assets/identicons/:name",
    { config: { access: "open", limited: true }, schema: { hide: true } },
    async (request, reply) => {
      const { name } = request.params;
      const [, kind, id, side] = IDENTICON.exec(name) ?? [];
      if (kind === undefined) return sendRefusal(reply, 404);
      const served = { etag: `"${name}"`, type: "image/png", cacheControl: FOREVER };
      if (beginImage(request, reply, served)) return reply;
      let image = drawn.get(name);
      if (image === undefined) {
        image = identicon(kind as Kind, Number(id), Number(side) as Side);
        drawn.set(name, image);
      }
      return reply.send(image);
    },
  );
}
