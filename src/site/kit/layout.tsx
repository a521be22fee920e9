import type { ComponentChildren } from "preact";
import { FEEDS, feedPath, HOME } from "../../platform/paths.ts";
import type { Settings } from "../../platform/settings/fields.ts";
import type { Viewer } from "../../http/actor.ts";
import { assetPath, earlyScript, viewScript } from "./assets.ts";
import { inkOn, NIGHT, PAPER, readable } from "./color.ts";
import { breadcrumbData, type Crumb, jsonFor } from "./components.tsx";
import { Header, navigation } from "./header.tsx";

/** The community around each page. */
export interface Site {
  baseUrl: string;
  settings: Settings;
  now: Date;
  /** Undefined for a stranger; null where nobody has looked. */
  viewer?: Viewer | null | undefined;
  /** Links to the sections in which there is something. */
  sections: readonly string[];
}

export interface Head {
  title: string;
  /** Default: that of the community. */
  description?: string | undefined;
  /** The page's address, as a path; `canonical` if it is elsewhere. Pages of errors have none. */
  path?: string;
  canonical?: string | undefined;
  image?: string | undefined;
  kind?: "website" | "article" | "profile";
  /** More properties of Open Graph. */
  properties?: readonly [property: string, content: string][];
  /** schema.org */
  data?: readonly object[];
  /** The pages above this one, the highest first. */
  crumbs?: readonly Crumb[];
  /** Default: that of the community, by whose name it is then called. Paths are without the suffix of a format. */
  feeds?: readonly { title?: string; path: string; query?: string }[];
  prev?: string | undefined;
  next?: string | undefined;
  /** Whether search engines shall leave it out. */
  isHidden?: boolean;
  /** The name of styles and a script of its own. */
  bundle?: "reference" | "editor";
  /** The id of the article of which a script reports a read. */
  reported?: number | undefined;
  /** Whether it has what members need: forms. Pages of members have it always. */
  hasForm?: boolean;
  /** Whether it has a form for a text of some length, which a script keeps. */
  hasText?: boolean;
  /** Whether the header offers no search: the page does, or the server is at fault. */
  hasNoSearch?: boolean;
}

export function Document({ site, body, ...head }: Head & { site: Site; body: ComponentChildren }) {
  return (
    <html lang="en" {...readingOf(site.viewer)}>
      <PageHead site={site} {...head} />
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Header {...site} hasSearch={head.hasNoSearch !== true} path={head.path} />
        <Main>{body}</Main>
        <Footer site={site} />
      </body>
    </html>
  );
}

/** The part of a page that a script puts in the place of another one's. */
export function Fragment({ site, title, body }: { site: Site; title: string; body: ComponentChildren }) {
  return (
    <>
      <title>{`${title} · ${site.settings.community_name}`}</title>
      <Main>{body}</Main>
    </>
  );
}

function Main({ children }: { children: ComponentChildren }) {
  return (
    <main id="main" tabIndex={-1}>
      {children}
    </main>
  );
}

/** The viewer's choice, so that the first paint is right. */
function readingOf(viewer: Site["viewer"]): object {
  const [theme, size, face] = viewer?.reading?.split(" ") ?? [];
  return {
    ...(theme !== undefined && theme !== "system" && { "data-theme": theme }),
    ...(size !== undefined && { "data-size": size, "data-face": face }),
  };
}

function PageHead({ site, ...head }: Head & { site: Site }) {
  const { community_name: name, community_description } = site.settings;
  const title = head.path === HOME ? head.title : `${head.title} · ${name}`;
  const description = (head.description ?? community_description) || name;
  const url = head.canonical ?? (head.path && site.baseUrl + head.path);
  const image = head.image ?? `${site.baseUrl}/assets/social.png`;
  const isOfMember = Boolean(site.viewer) || head.hasForm === true;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <script dangerouslySetInnerHTML={{ __html: earlyScript() }} />
      <title>{title}</title>
      <meta name="description" content={description} />
      {url !== undefined && <link rel="canonical" href={url} />}
      {head.prev !== undefined && <link rel="prev" href={head.prev} />}
      {head.next !== undefined && <link rel="next" href={head.next} />}
      {head.isHidden && <meta name="robots" content="noindex" />}
      <link rel="stylesheet" href={assetPath("site.css")} />
      {isOfMember && <link rel="stylesheet" href={assetPath("member.css")} />}
      {head.bundle && <link rel="stylesheet" href={assetPath(`${head.bundle}.css`)} />}
      <style dangerouslySetInnerHTML={{ __html: themeStyle(site) }} />
      <link rel="icon" type="image/svg+xml" href={assetPath("favicon.svg")} />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={PAPER} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={NIGHT} />
      <link rel="search" type="application/opensearchdescription+xml" title={name} href="/opensearch.xml" />
      <Feeds feeds={head.feeds ?? [{ path: feedPath() }]} name={name} />
      <Properties
        values={[
          ["og:site_name", name],
          ["og:type", head.kind ?? "website"],
          ["og:title", head.title],
          ["og:description", description],
          ...(url === undefined ? [] : [["og:url", url] as const]),
          ["og:image", image],
          ...(head.properties ?? []),
        ]}
      />
      <meta name="twitter:card" content={head.kind === "profile" ? "summary" : "summary_large_image"} />
      <Data head={head} baseUrl={site.baseUrl} />
      <script type="module" src={assetPath("site.js")} />
      {(isOfMember || head.hasText) && <script type="module" src={assetPath("member.js")} />}
      {head.bundle && <script type="module" src={assetPath(`${head.bundle}.js`)} />}
      {head.reported !== undefined && (
        <script data-article={head.reported} dangerouslySetInnerHTML={{ __html: viewScript() }} />
      )}
    </head>
  );
}

function Feeds({ feeds, name }: { feeds: NonNullable<Head["feeds"]>; name: string }) {
  return (
    <>
      {feeds.flatMap(({ title = name, path, query = "" }) =>
        FEEDS.map(({ suffix, type }) => (
          <link rel="alternate" type={type} title={title} href={path + suffix + query} />
        )),
      )}
    </>
  );
}

function Data({ head: { data = [], crumbs, title, path = "" }, baseUrl }: { head: Head; baseUrl: string }) {
  const trail = crumbs && breadcrumbData(baseUrl, [...crumbs, { label: title, href: path }]);
  return (
    <>
      {[...data, ...(trail ? [trail] : [])].map((each) => (
        <script
          type="application/ld+json"
          dangerouslySetInnerHTML={{ __html: jsonFor({ "@context": "https://schema.org", ...each }) }}
        />
      ))}
    </>
  );
}

function Properties({ values }: { values: readonly (readonly [string, string])[] }) {
  return (
    <>
      {values.map(([property, content]) => (
        <meta property={property} content={content} />
      ))}
    </>
  );
}

const themes = new Map<string, string>();

/** The community's own colour, made readable in both themes. */
export function themeStyle({ settings: { accent_color: accent } }: Pick<Site, "settings">): string {
  const known = themes.get(accent);
  if (known !== undefined) return known;
  const [light, dark] = [readable(accent, PAPER), readable(accent, NIGHT)];
  const style = `:root{--accent-light:${light};--accent-dark:${dark};--on-accent-light:${inkOn(light)};--on-accent-dark:${inkOn(dark)}}`;
  themes.set(accent, style);
  return style;
}

const FOOTER_LINKS = `About | /about
Archive | /archive
API | /api/docs
RSS | /feed
Privacy | /privacy
Terms | /terms
Code of conduct | /code-of-conduct`;

function Footer({ site: { settings } }: { site: Site }) {
  const { community_name: name, tagline, footer_text, footer_links } = settings;
  return (
    <footer class="site-footer">
      <div class="wide">
        <p>
          <strong>{name}</strong>
          {tagline !== "" && <span> {tagline}</span>}
        </p>
        <nav aria-label="About">
          {navigation(footer_links || FOOTER_LINKS).map(({ label, href }) => (
            <a href={href}>{label}</a>
          ))}
        </nav>
        {footer_text !== "" && <p>{footer_text}</p>}
      </div>
    </footer>
  );
}
