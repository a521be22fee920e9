import type { Settings } from "../settings/fields.ts";
import { Prose, sanitized } from "../web/html.tsx";
import { DEFAULT_TEXTS } from "./default-texts.ts";
import type { Page, Pages, Visit } from "./kit.tsx";

const TEXTS = [
  { path: "/about", setting: "about_page", title: "About" },
  { path: "/privacy", setting: "privacy_page", title: "Privacy" },
  { path: "/terms", setting: "terms_page", title: "Terms" },
  { path: "/code-of-conduct", setting: "code_of_conduct_page", title: "Code of conduct" },
] as const;

/** Pages that the operator writes as Markdown, in the settings. */
export function textRoutes(pages: Pages): void {
  for (const text of TEXTS) pages.get(text.path, {}, (visit) => textPage(visit, text));
}

async function textPage(
  { site, services }: Visit,
  { path, setting, title }: (typeof TEXTS)[number],
): Promise<Page> {
  const markdown = site.settings[setting] || withNames(DEFAULT_TEXTS[setting], site.settings);
  const { html } = await services.renderPool.render(markdown);
  return {
    title,
    description: `${title}: ${site.settings.community_name}.`,
    path,
    body: (
      <article class="narrow">
        <h1>{title}</h1>
        <Prose html={sanitized(html)} />
      </article>
    ),
  };
}

function withNames(text: string, settings: Settings): string {
  const { community_name, community_description, contact_email, page_view_days } = settings;
  return text
    .replaceAll("{name}", community_name)
    .replaceAll("{description}", community_description)
    .replaceAll("{view_days}", String(page_view_days))
    .replaceAll("{contact}", contact_email === "" ? "the operators of this site" : contact_email);
}
