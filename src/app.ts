import { analyticsRoutes } from "./analytics/routes.ts";
import { myArticleRoutes } from "./articles/me-routes.ts";
import { articleRoutes, organizationArticleRoutes, videoRoutes } from "./articles/routes.ts";
import { singleArticleRoutes } from "./articles/single-routes.ts";
import { articleWriteRoutes } from "./articles/write-routes.ts";
import { siteRoutes } from "./site/routes.ts";
import { cardRoutes } from "./cards/routes.ts";
import { commentRoutes } from "./comments/routes.ts";
import type { Context, Services } from "./context.ts";
import { feedRoutes } from "./syndication/routes.ts";
import { followRoutes } from "./follows/routes.ts";
import type { App } from "./http/app-type.ts";
import { describeApi } from "./http/openapi.ts";
import { identiconRoutes, pictureRoutes } from "./http/pictures.ts";
import { createRunWrite } from "./http/run-write.ts";
import { createServer } from "./http/server.ts";
import { listingRoutes } from "./listings/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { organizationRoutes } from "./organizations/routes.ts";
import { podcastRoutes } from "./podcasts/routes.ts";
import { profileImageRoutes } from "./profile-images/routes.ts";
import { readingListRoutes } from "./reading-list/routes.ts";
import { sitemapRoutes } from "./sitemap/routes.ts";
import { tagRoutes } from "./tags/routes.ts";
import { uploadRoutes } from "./uploads/routes.ts";
import { authenticate } from "./users/keys.ts";
import { userRoutes } from "./users/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";
import { webhookWriteRoutes } from "./webhooks/write-routes.ts";

export async function buildApp(context: Context, services: Services): Promise<App> {
  const app = await createServer(context, services, (key, db) => authenticate(db, key, context.now()));
  await describeApi(app);

  const runWrite = createRunWrite(context, services);

  articleRoutes(app, context, services);
  singleArticleRoutes(app, context, services);
  myArticleRoutes(app, context);
  articleWriteRoutes(app, context, runWrite);
  videoRoutes(app, context, services);
  commentRoutes(app, context);
  podcastRoutes(app, context);
  userRoutes(app, context);
  organizationRoutes(app, context);
  organizationArticleRoutes(app, context, services);
  followRoutes(app, context);
  readingListRoutes(app, context, services);
  tagRoutes(app, context);
  listingRoutes(app, context, runWrite);
  profileImageRoutes(app, context);
  analyticsRoutes(app, context);
  await uploadRoutes(app, { context, services, runWrite });
  cardRoutes(app, context, services);
  webhookRoutes(app, context);
  webhookWriteRoutes(app, context, runWrite);
  healthRoutes(app, context, services);
  feedRoutes(app, context, services);
  sitemapRoutes(app, context, services);

  siteRoutes(app, context, services);
  pictureRoutes(app);
  identiconRoutes(app);
  return app;
}
