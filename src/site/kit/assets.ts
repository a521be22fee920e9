import { readFileSync } from "node:fs";
import type { FastifyReply } from "fastify";
import type { App } from "../../http/app-type.ts";
import { type ConstantText, constantText, sendConstant } from "../../http/answers.ts";
import { sendRefusal } from "../../http/errors.ts";
import { FOREVER } from "../../http/pictures.ts";
import { IS_SOURCE, locate } from "../../platform/program-files.ts";

/** The build writes them; `assets.json` names each with the digest of its bytes. */
const FOLDER = IS_SOURCE ? locate("../dist/web/") : locate("web/");

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

let names: Record<string, string> | undefined;

type AssetName =
  | `${"site" | "member" | "reference" | "editor"}.${"css" | "js"}`
  | "icons.svg"
  | "favicon.svg";

/** The path of an asset, which changes with its bytes. */
export function assetPath(name: AssetName): string {
  return `/static/${nameOf(name)}`;
}

function hashedNames(): Record<string, string> {
  return (names ??= JSON.parse(readFileSync(new URL("assets.json", FOLDER), "utf8")) as Record<
    string,
    string
  >);
}

function nameOf(name: string): string {
  const hashed = hashedNames()[name];
  if (hashed === undefined) throw new Error(`The build made no ${name}`);
  return hashed;
}

/** A script that pages contain, and that its digest allows. */
function inlineScript(name: string): () => string {
  let text: string | undefined;
  return () => (text ??= readFileSync(new URL(nameOf(name), FOLDER), "utf8"));
}

/** Runs before the first paint. */
export const earlyScript = inlineScript("early.js");

/** Reports a read of the article that its element names. */
export const viewScript = inlineScript("view.js");

/** Programs that read no page ask for this address. */
function faviconRoute(app: App): void {
  let icon: ConstantText | undefined;
  app.get(
    "/favicon.ico",
    { config: { access: "open" }, schema: { hide: true } },
    (request, reply): Promise<FastifyReply> => {
      icon ??= constantText("image/x-icon", readFileSync(locate("../assets/favicon.ico")));
      reply.header("cache-control", "public, max-age=86400");
      return sendConstant(request, reply, icon);
    },
  );
}

export function assetRoutes(app: App): void {
  faviconRoute(app);
  const files = new Map<string, ConstantText>();
  app.get<{ Params: { name: string } }>(
    "/static/:name",
    { config: { access: "open" }, schema: { hide: true } },
    async (request, reply): Promise<FastifyReply> => {
      const { name } = request.params;
      if (!Object.values(hashedNames()).includes(name)) return sendRefusal(reply, 404);
      let file = files.get(name);
      if (file === undefined) {
        const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
        files.set(name, (file = constantText(type, readFileSync(new URL(name, FOLDER)))));
      }
      reply.header("cache-control", FOREVER);
      return sendConstant(request, reply, file);
    },
  );
}
