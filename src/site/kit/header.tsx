import {
  ADMIN,
  APPLICATIONS,
  DASHBOARD,
  HOME,
  MODERATION,
  NEW_ARTICLE,
  NEW_ORGANIZATION,
  NOTIFICATIONS,
  profilePath,
  SIGN_UP,
  signInPath,
} from "../../platform/paths.ts";
import { mayPost } from "../../community/articles/articles.ts";
import { MAX_QUERY } from "../../search/index/query-parts.ts";
import type { Settings } from "../../platform/settings/fields.ts";
import type { Viewer } from "../../http/actor.ts";
import { Avatar, Icon } from "./components.tsx";

interface HeaderProps {
  settings: Settings;
  viewer?: Viewer | null | undefined;
  sections: readonly string[];
  hasSearch: boolean;
  path: string | undefined;
}

/** The navigation is a popover on phones, which the last button opens without a script. */
export function Header({ settings, viewer, sections, hasSearch, path }: HeaderProps) {
  const { community_name: name, logo_url } = settings;
  return (
    <header class="site-header">
      <div class="wide">
        <a class="brand" href={HOME} rel="home">
          {logo_url === "" ? <Seal name={name} /> : <img src={logo_url} alt="" width="32" height="32" />}
          <span>{name}</span>
        </a>
        <nav class="site-nav" id="site-nav" aria-label="Site" popover="auto">
          {navigation(settings.navigation_links || ["Tags | /tags", ...sections].join("\n")).map(
            ({ label, href }) => (
              <a href={href}>{label}</a>
            ),
          )}
        </nav>
        {hasSearch && <SearchField />}
        <button
          type="button"
          class="icon-button theme-button"
          data-theme-button
          hidden
          aria-label="Dark theme"
        >
          <Icon name="moon" />
          <Icon name="sun" />
        </button>
        {viewer && <OfMember viewer={viewer} mayWrite={mayPost(viewer, settings)} />}
        {viewer === undefined && (
          <>
            <a class="sign-in" href={signInPath(path)} rel="nofollow">
              Sign in
            </a>
            {["open", "approval"].includes(settings.registration) && (
              <a class="sign-in" href={SIGN_UP} rel="nofollow">
                Join
              </a>
            )}
          </>
        )}
        <button type="button" class="icon-button menu-button" popovertarget="site-nav" aria-label="Menu">
          <Icon name="menu" />
        </button>
      </div>
    </header>
  );
}

interface OfMemberProps {
  viewer: Viewer;
  mayWrite: boolean;
}

const OfMember = ({ viewer, mayWrite }: OfMemberProps) => (
  <>
    {mayWrite && (
      <a class="sign-in write" href={NEW_ARTICLE}>
        Write
      </a>
    )}
    <Bell unread={viewer.unread} />
    <ViewerMenu viewer={viewer} mayWrite={mayWrite} />
  </>
);

/** Leads to the notifications, and shows how many are unread. */
function Bell({ unread }: Pick<Viewer, "unread">) {
  const shown = unread > 99 ? "99+" : String(unread);
  const label = unread === 0 ? "Notifications" : `Notifications, ${shown} unread`;
  return (
    <a class="icon-button bell" href={NOTIFICATIONS} aria-label={label}>
      <Icon name="bell" />
      {unread > 0 && <span class="number">{shown}</span>}
    </a>
  );
}

/** Opens without a script. */
function ViewerMenu({ viewer, mayWrite }: OfMemberProps) {
  const { id, name, profile_image } = viewer;
  return (
    <details class="viewer-menu">
      <summary aria-label={`Menu of ${name}`}>
        <Avatar of={{ kind: "user", id, profile_image }} side={32} />
      </summary>
      <ul>
        {menuOf(viewer, mayWrite).map(({ label, href }) => (
          <li>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

const OF_STAFF = [
  { label: "Moderation", href: MODERATION },
  { label: "Applications", href: APPLICATIONS },
];

const menuOf = ({ username, role }: Viewer, mayWrite: boolean) => [
  ...(mayWrite ? [{ label: "Write", href: NEW_ARTICLE }] : []),
  { label: "Your profile", href: profilePath(username) },
  { label: "Dashboard", href: DASHBOARD },
  { label: "Reading list", href: "/reading-list" },
  { label: "Following", href: "/following" },
  { label: "Organizations", href: NEW_ORGANIZATION },
  ...(role === "member" ? [] : OF_STAFF),
  ...(role === "admin" ? [{ label: "Administration", href: ADMIN }] : []),
  { label: "Settings", href: "/settings" },
  { label: "Sign out", href: "/signout" },
];

function SearchField() {
  return (
    <form class="search-field" role="search" action="/search">
      <Icon name="search" />
      <input
        type="search"
        name="q"
        placeholder="Search"
        aria-label="Search"
        maxLength={MAX_QUERY}
        autocomplete="off"
        data-suggest
      />
    </form>
  );
}

/** The first letter of a name, as on a seal. */
function Seal({ name }: { name: string }) {
  return (
    <span class="seal" aria-hidden="true">
      {Array.from(name)[0]}
    </span>
  );
}

export function navigation(links: string): { label: string; href: string }[] {
  const lines = links.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [label = "", href = ""] = line.split("|").map((part) => part.trim());
    return { label, href };
  });
}
