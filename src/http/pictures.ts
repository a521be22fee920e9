import { readFile } from "node:fs/promises";
import { etagOf, isKnown } from "./answers.ts";
import type { App } from "./app-type.ts";

const FOLDER = new URL("../../assets/", import.meta.url);

const DAY_SECONDS = 86_400;

/** What stands in for pictures that nobody has given. */
const PICTURES = [
  ...["default-user", "default-organization"].flatMap((name) => [
    `${name}-640.png`,
    `${name}-320.png`,
    `${name}-90.png`,
    `${name}-60.png`,
  ]),
  "social.png",
];

/** Serves the pictures that come with the program, which may change with its version. */
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
