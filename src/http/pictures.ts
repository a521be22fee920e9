import { readFile } from "node:fs/promises";
import type { App } from "./app-type.ts";

const FOLDER = new URL("../../assets/", import.meta.url);

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

/** Serves the pictures that come with the program. Their names change when they do, so they are kept for good. */
export function pictureRoutes(app: App): void {
  for (const name of PICTURES) {
    app.get(
      `/assets/${name}`,
      { config: { access: "open" }, schema: { hide: true } },
      async (_request, reply) => {
        const picture = await readFile(new URL(name, FOLDER));
        return reply
          .headers({ "content-type": "image/png", "cache-control": "public, max-age=31536000, immutable" })
          .send(picture);
      },
    );
  }
}
