import { sendRefusal } from "../../http/errors.ts";
import type { Mount } from "../../http/operation.ts";
import { beginImage } from "../../http/pictures.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as cards from "./cards.ts";

const NAME = /^([1-9]\d{0,9})-([0-9a-f]{16})\.png$/;
const MAX_ID = 2_147_483_647;

/** An unpublished title leaves caches at once, and the site's name may change under the same address. */
const REVALIDATED = "public, no-cache";

export const cardRoutes: Mount = (app, { cache, db, files, images }) => {
  const picture = cards.createCards({ files, images });
  app.get<{ Params: { name: string } }>(
    "/assets/cards/:name",
    { config: { access: "public", limited: true }, schema: { hide: true } },
    async (request, reply) => {
      const [, id, hash = ""] = NAME.exec(request.params.name) ?? [];
      if (id === undefined || Number(id) > MAX_ID) return sendRefusal(reply, 404);
      const { community_name: site } = await settings.cached(cache, db);
      const card = await cards.find(db.shared, { id: Number(id), hash, site });
      if (card === undefined) return sendRefusal(reply, 404);
      const cacheControl = request.inPrivate ? "private, no-store" : REVALIDATED;
      const served = { etag: `"${cards.keyOf(card)}"`, type: "image/png", cacheControl };
      return beginImage(request, reply, served) ? reply : reply.send(await picture(Number(id), card));
    },
  );
};
