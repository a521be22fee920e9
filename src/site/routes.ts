import type { App } from "../http/app-type.ts";
import type { Mount } from "../http/operation.ts";
import { addressRoutes } from "./account/address.tsx";
import { applicationRoutes } from "./account/applications.tsx";
import { confirmAddressRoutes } from "./account/confirm-address.tsx";
import { invitationRoutes } from "./account/invitations.tsx";
import { joinRoutes } from "./account/joining.tsx";
import { keyRoutes } from "./account/keys.tsx";
import { mailRoutes } from "./account/mails.tsx";
import { passwordRoutes } from "./account/password.tsx";
import { profileRoutes } from "./account/profile.tsx";
import { readingRoutes } from "./account/reading.tsx";
import { resetRoutes } from "./account/reset.tsx";
import { sessionRoutes } from "./account/sessions.tsx";
import { setUpRoutes } from "./account/set-up.tsx";
import { SECTIONS } from "./account/settings.tsx";
import { signInRoutes } from "./account/signing-in.tsx";
import { twoFactorRoutes } from "./account/two-factor.tsx";
import { assetRoutes } from "./kit/assets.ts";
import { settingsRoutes } from "./admin/settings.tsx";
import { tagRoutes as adminTagRoutes } from "./admin/tags.tsx";
import { actRoutes } from "./acts.tsx";
import { commentingRoutes } from "./commenting.tsx";
import { dashboardRoutes } from "./dashboard.tsx";
import { editorRoutes } from "./editor.tsx";
import { archiveRoutes } from "./archive.tsx";
import { articleRoutes } from "./article.tsx";
import { commentRoutes } from "./comments.tsx";
import { errorPages, formerPages } from "./errors.tsx";
import { createForms, type Forms } from "./forms.tsx";
import { homeRoutes } from "./home.tsx";
import { createPages } from "./kit.tsx";
import { listingRoutes } from "./listings.tsx";
import { memberListRoutes } from "./member-lists.tsx";
import { notificationRoutes } from "./notifications.tsx";
import { organizationRoutes } from "./organizations.tsx";
import { podcastRoutes } from "./podcasts.tsx";
import { publisherRoutes } from "./publisher.tsx";
import { referenceRoutes } from "./reference/routes.tsx";
import { searchRoutes } from "./search.tsx";
import { reportRoutes } from "./report.tsx";
import { moderationRoutes } from "./staff/moderation.tsx";
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
    actRoutes(forms);
    commentingRoutes(forms);
    editorRoutes(forms);
    dashboardRoutes(forms);
    memberListRoutes(forms);
    notificationRoutes(forms);
    organizationRoutes(forms);
    settingsRoutes(forms);
    adminTagRoutes(forms);
    reportRoutes(forms);
    moderationRoutes(forms);
  });
};

function accountRoutes(forms: Forms): void {
  signInRoutes(forms);
  resetRoutes(forms);
  setUpRoutes(forms);
  forms.member("/settings", {
    fields: {},
    show: async () => ({ to: SECTIONS[0].path }),
    submit: async () => ({ to: SECTIONS[0].path }),
  });
  profileRoutes(forms);
  addressRoutes(forms);
  passwordRoutes(forms);
  twoFactorRoutes(forms);
  sessionRoutes(forms);
  readingRoutes(forms);
  mailRoutes(forms);
  keyRoutes(forms);
  invitationRoutes(forms);
  joinRoutes(forms);
  applicationRoutes(forms);
  confirmAddressRoutes(forms);
}
