import { readFile } from "node:fs/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { identicon, type Kind, SIDES } from "../images/identicon.ts";
import type { Side } from "../images/profile-picture.ts";
import { locate } from "../layout.ts";
import { etagOf, isKnown } from "./answers.ts";
import type { App } from "./app-type.ts";
import { sendRefusal } from "./errors.ts";

const YEAR_SECONDS = 31_536_000;

export const FOREVER = `public, max-age=${YEAR_SECONDS}, immutable`;

/** For browsers that guess types. */
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

/** They may change with the version of the program. */
export function pictureRoutes(app: App): void {
  for (const name of PICTURES) {
    app.get(
      `/assets/${name}`,
      { config: { access: "open" }, schema: { hide: true } },
      async (request, reply) => {
        const picture = await readFile(new URL(name, FOLDER));
        const etag = etagOf(picture);
        reply.headers({ etag, "cache-control": `public, max-age=${DAY_SECONDS}` });
        return isKnown(request, etag) ? reply.code(304).send() : reply.type("image/png").send(picture);
      },
    );
  }
}

const IDENTICON = new RegExp(`^(user|organization|podcast)-([1-9]\\d{0,9})-(${SIDES.join("|")})\\.png$`);

/** Made from the id alone. */
export function identiconRoutes(app: App): void {
  app.get<{ Params: { name: string } }>(
    "/assets/identicons/:name",
    { config: { access: "open" }, schema: { hide: true } },
    async (request, reply) => {
      const { name } = request.params;
      const [, kind, id, side] = IDENTICON.exec(name) ?? [];
      if (kind === undefined) return sendRefusal(reply, 404);
      const served = { etag: `"${name}"`, type: "image/png", cacheControl: FOREVER };
      if (beginImage(request, reply, served)) return reply;
      return reply.send(identicon(kind as Kind, Number(id), Number(side) as Side));
    },
  );
}
