import { myArticleRoutes } from "./articles/me-routes.ts";
import { articleRoutes } from "./articles/routes.ts";
import { singleArticleRoutes } from "./articles/single-routes.ts";
import { articleWriteRoutes } from "./articles/write-routes.ts";
import { cardRoutes } from "./cards/routes.ts";
import type { Context, Engine } from "./context.ts";
import type { App } from "./http/app-type.ts";
import { docsPage } from "./http/docs-page.ts";
import { describeApi } from "./http/openapi.ts";
import { identiconRoutes, pictureRoutes } from "./http/pictures.ts";
import { createServer } from "./http/server.ts";
import { opsRoutes } from "./ops/routes.ts";
import { tagRoutes } from "./tags/routes.ts";
import { uploadRoutes } from "./uploads/routes.ts";
import { authenticate } from "./users/keys.ts";
import { userRoutes } from "./users/routes.ts";

/** The whole HTTP surface, in the order a reader would look for it. */
export async function buildApp(context: Context, engine: Engine): Promise<App> {
  const app = await createServer(context, engine, (key, db) => authenticate(db, key, context.now()));
  await describeApi(app);

  articleRoutes(app, context, engine);
  singleArticleRoutes(app, context);
  myArticleRoutes(app, context);
  articleWriteRoutes(app, context, engine);
  userRoutes(app, context);
  tagRoutes(app, context);
  await uploadRoutes(app, context, engine);
  cardRoutes(app, context, engine);
  opsRoutes(app, context, engine);

  await docsPage(app);
  pictureRoutes(app);
  identiconRoutes(app);
  return app;
}
