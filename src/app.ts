import { analyticsRoutes } from "./analytics/routes.ts";
import { myArticleRoutes } from "./articles/me-routes.ts";
import { organizationArticleRoutes } from "./articles/organization-routes.ts";
import { articleRoutes } from "./articles/routes.ts";
import { singleArticleRoutes } from "./articles/single-routes.ts";
import { videoRoutes } from "./articles/video-routes.ts";
import { articleWriteRoutes } from "./articles/write-routes.ts";
import { cardRoutes } from "./cards/routes.ts";
import { commentRoutes } from "./comments/routes.ts";
import type { Context, Engine } from "./context.ts";
import { feedRoutes } from "./feeds/routes.ts";
import { followRoutes } from "./follows/routes.ts";
import type { App } from "./http/app-type.ts";
import { docsPage } from "./http/docs-page.ts";
import { describeApi } from "./http/openapi.ts";
import { identiconRoutes, pictureRoutes } from "./http/pictures.ts";
import { createServer } from "./http/server.ts";
import { listingRoutes } from "./listings/routes.ts";
import { listingWriteRoutes } from "./listings/write-routes.ts";
import { opsRoutes } from "./ops/routes.ts";
import { organizationRoutes } from "./organizations/routes.ts";
import { podcastRoutes } from "./podcasts/routes.ts";
import { profileImageRoutes } from "./profile-images/routes.ts";
import { readingListRoutes } from "./reading-list/routes.ts";
import { sitemapRoutes } from "./sitemap/routes.ts";
import { tagRoutes } from "./tags/routes.ts";
import { uploadRoutes } from "./uploads/routes.ts";
import { authenticate } from "./users/keys.ts";
import { userRoutes } from "./users/routes.ts";
import { webhookDeliveryRoutes } from "./webhooks/delivery-routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";
import { webhookWriteRoutes } from "./webhooks/write-routes.ts";

/** The whole HTTP surface, in the order a reader would look for it. */
export async function buildApp(context: Context, engine: Engine): Promise<App> {
  const app = await createServer(context, engine, (key, db) => authenticate(db, key, context.now()));
  await describeApi(app);

  articleRoutes(app, context, engine);
  singleArticleRoutes(app, context, engine);
  myArticleRoutes(app, context);
  articleWriteRoutes(app, context, engine);
  videoRoutes(app, context, engine);
  commentRoutes(app, context);
  podcastRoutes(app, context);
  userRoutes(app, context);
  organizationRoutes(app, context);
  organizationArticleRoutes(app, context, engine);
  followRoutes(app, context);
  readingListRoutes(app, context, engine);
  tagRoutes(app, context);
  listingRoutes(app, context);
  listingWriteRoutes(app, context, engine);
  profileImageRoutes(app, context);
  analyticsRoutes(app, context);
  await uploadRoutes(app, context, engine);
  cardRoutes(app, context, engine);
  webhookRoutes(app, context);
  webhookWriteRoutes(app, context);
  webhookDeliveryRoutes(app, context);
  opsRoutes(app, context, engine);
  feedRoutes(app, context, engine);
  sitemapRoutes(app, context, engine);

  docsPage(app);
  pictureRoutes(app);
  identiconRoutes(app);
  return app;
}
