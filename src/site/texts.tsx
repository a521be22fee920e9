import type { Settings } from "../platform/settings/fields.ts";
import { Prose, sanitized } from "./kit/html.tsx";
import type { Page, Pages, Visit } from "./kit.tsx";

/** Pages show these texts until the operator sets others. The names in braces are those of the community. */
const DEFAULT_TEXTS = {
  about_page: `{description}

{name} is a place to read, write and talk. Everyone can [read](/) and [search](/search) it, follow it
[by feed](/feed), and use its contents [by its API](/api/docs).

Questions? Write to {contact}.

{name} runs on Inkstone, free software for publishing communities.
`,
  privacy_page: `{name} stores as little about its readers as it can.

## Readers

- Pages set no cookie, except \`theme\`, which remembers the theme you chose.
- Pages load nothing from other sites. Images in articles may be hosted elsewhere, as their authors chose;
  videos are loaded only when you start them.
- The server counts how often an article is read, and from which site readers came. It keeps no addresses with
  these counts. Its log has the network address of each request, as long as the operators keep the log.

## Members

Articles, comments and profiles are public. Your e-mail address is not. The cookie \`session\`
(\`__Host-session\` over HTTPS) keeps you signed in, for at most 90 days. {name} stores of you

- your password and recovery codes as hashes, and the secret of a second factor
- for each session its browser, the beginning of its network address and its last use
- wrong passwords of a name or network, by hash, for some days
- what you save, follow and react to, and for {view_days} days which articles you read while signed in
- your notifications, and for 30 days which emails you got, without their texts

Questions, or a wish to have data removed? Write to {contact}.
`,
  terms_page: `By publishing on {name} you confirm that you may publish the text and its images, and you allow
{name} to show them here and in its feeds. Your texts stay yours.

Be civil, follow the [code of conduct](/code-of-conduct), and don't use {name} for spam, deceit or anything
unlawful. Texts that break these terms may be hidden or removed, and accounts suspended.

{name} is offered as it is, without a promise that it is always reachable.

Questions? Write to {contact}.
`,
  code_of_conduct_page: `{name} is for everyone who reads and writes in good faith.

## Please

- be kind, and assume that others mean well
- criticise texts and ideas, not people
- credit the sources you use
- say when you stand to gain from what you recommend

## Please don't

- insult, harass or threaten anyone, or encourage others to
- publish private details of others
- post spam, or the same text again and again

Texts that break these rules may be hidden or removed, and accounts suspended. Write to {contact} about texts
that break them.
`,
};

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
