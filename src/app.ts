import { analyticsRoutes } from "./community/analytics/routes.ts";
import { myArticleRoutes } from "./community/articles/me-routes.ts";
import { articleRoutes, organizationArticleRoutes, videoRoutes } from "./community/articles/routes.ts";
import {
  articleWriteRoutes,
  formerArticleRoutes,
  singleArticleRoutes,
} from "./community/articles/single-routes.ts";
import { cardRoutes } from "./community/cards/routes.ts";
import { commentRoutes } from "./community/comments/routes.ts";
import type { Role } from "./platform/config/connections.ts";
import type { Context, Services } from "./context.ts";
import { followRoutes } from "./community/follows/routes.ts";
import { metricsRoutes, orchestratorRoutes } from "./operate/health/monitoring-routes.ts";
import { configRoutes, indexRoutes, instanceRoutes } from "./operate/health/routes.ts";
import type { App } from "./http/app-type.ts";
import { describeApi } from "./http/openapi.ts";
import type { Mount } from "./http/operation.ts";
import { identiconRoutes, pictureRoutes } from "./http/pictures.ts";
import { createRunWrite } from "./http/run-write.ts";
import type { Authenticator } from "./http/auth.ts";
import { createServer } from "./http/server.ts";
import { listingRoutes } from "./community/listings/routes.ts";
import { notificationRoutes } from "./community/notifications/routes.ts";
import { organizationRoutes } from "./community/organizations/routes.ts";
import { podcastRoutes } from "./community/podcasts/routes.ts";
import { profileImageRoutes } from "./community/profile-images/routes.ts";
import { readingListRoutes } from "./community/reading-list/routes.ts";
import { openSearchRoute, suggestionRoute, usernameRoute, viewRoutes } from "./site/machine-routes.ts";
import { administrationRoutes } from "./operate/admin/state.tsx";
import { siteRoutes } from "./site/routes.ts";
import { sitemapRoutes } from "./community/sitemap/routes.ts";
import { feedRoutes } from "./community/syndication/routes.ts";
import { tagRoutes } from "./community/tags/routes.ts";
import { storedImageRoutes, uploadRoutes } from "./community/uploads/routes.ts";
import * as keys from "./community/users/keys.ts";
import * as sessions from "./community/users/sessions.ts";
import { userRoutes } from "./community/users/routes.ts";
import { moderationRoutes } from "./community/moderation/routes.ts";
import { webhookRoutes } from "./community/webhooks/routes.ts";

/** The document of the API has them in this order. */
const ROUTES: readonly Mount[] = [
  articleRoutes,
  singleArticleRoutes,
  formerArticleRoutes,
  myArticleRoutes,
  articleWriteRoutes,
  videoRoutes,
  commentRoutes,
  podcastRoutes,
  userRoutes,
  moderationRoutes,
  organizationRoutes,
  organizationArticleRoutes,
  followRoutes,
  readingListRoutes,
  notificationRoutes,
  tagRoutes,
  listingRoutes,
  profileImageRoutes,
  analyticsRoutes,
  storedImageRoutes,
  uploadRoutes,
  cardRoutes,
  webhookRoutes,
  instanceRoutes,
  indexRoutes,
  orchestratorRoutes,
  configRoutes,
  metricsRoutes,
  feedRoutes,
  sitemapRoutes,
  siteRoutes,
  administrationRoutes,
  openSearchRoute,
  suggestionRoute,
  usernameRoute,
  viewRoutes,
  pictureRoutes,
  identiconRoutes,
];

/** Those of a process that serves monitors alone. */
const OF_JOBS: readonly Mount[] = [orchestratorRoutes, metricsRoutes];

export async function buildApp(context: Context, services: Services, role: Role = "all"): Promise<App> {
  const app = await createServer(context, services, authenticatorOf(context));
  await describeApi(app);
  const runWrite = createRunWrite(context, services);
  const program = { ...context, ...services, baseUrl: context.config.baseUrl, runWrite };
  for (const mount of role === "jobs" ? OF_JOBS : ROUTES) await mount(app, program);
  return app;
}

export function authenticatorOf({ now }: Context): Authenticator {
  return async (credential, db) => {
    if ("key" in credential) {
      const found = await keys.authenticate(db, credential.key, now());
      if (found === undefined || typeof found === "string") return found;
      const { id, role, ...by } = found;
      return { id, role, by };
    }
    const session = await sessions.authenticate(db, credential.token, now());
    return session && { id: session.id, role: session.role, by: { session } };
  };
}
