import type { App } from "../http/app-type.ts";
import type { Mount } from "../http/operation.ts";
import { assetRoutes } from "./kit/assets.ts";
import { accountRoutes } from "./account/account.ts";
import { archiveRoutes } from "./archive.tsx";
import { articleRoutes } from "./article.tsx";
import { commentRoutes } from "./comments.tsx";
import { errorPages } from "./errors.tsx";
import { formerPages } from "./former.ts";
import { createForms } from "./forms.tsx";
import { homeRoutes } from "./home.tsx";
import { createPages } from "./kit.tsx";
import { listingRoutes } from "./listings.tsx";
import { notificationRoutes } from "./notifications.tsx";
import { podcastRoutes } from "./podcasts.tsx";
import { publisherRoutes } from "./publisher.tsx";
import { referenceRoutes } from "./reference/routes.tsx";
import { searchRoutes } from "./search.tsx";
import { seriesRoutes } from "./series.tsx";
import { tagRoutes } from "./tags.tsx";
import { textRoutes } from "./texts.tsx";
import { videoRoutes } from "./videos.tsx";

/** Every page of the site. It uses the domain as the API does. */
export const siteRoutes: Mount = async (app, program) => {
  app.errorPage = errorPages(program);
  app.formerPage = formerPages(program);
  const pages = createPages(app, program);
  homeRoutes(pages);
  searchRoutes(pages);
  tagRoutes(pages);
  listingRoutes(pages);
  podcastRoutes(pages);
  videoRoutes(pages);
  archiveRoutes(pages);
  commentRoutes(pages);
  textRoutes(pages);
  publisherRoutes(pages);
  seriesRoutes(pages);
  articleRoutes(pages);
  referenceRoutes(app, program);
  assetRoutes(app);
  await app.register(async (part: App) => {
    const forms = createForms(part, program);
    accountRoutes(forms);
    notificationRoutes(forms);
  });
};
