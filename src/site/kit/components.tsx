import type { ComponentChildren } from "preact";
import { addressOf, type Pictured } from "../../content/images/profile-picture.ts";
import type { Kind } from "../../content/images/identicon.ts";
import { profilePath, tagPath } from "../../platform/paths.ts";
import { shortMonth } from "../../platform/text/dates.ts";
import { assetPath } from "./assets.ts";
import type { IconName } from "./icons.ts";

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true" width="20" height="20">
      <use href={`${assetPath("icons.svg")}#${name}`} />
    </svg>
  );
}

/** Decorative: a name stands beside it. */
export function Avatar({ of, side = 40 }: { of: Pictured<Kind>; side?: 24 | 32 | 40 | 48 | 96 | 128 }) {
  const src = addressOf(of, side > 90 ? 320 : 90, "");
  return (
    <img
      class={of.kind === "user" ? "avatar" : "avatar square"}
      src={src}
      alt=""
      width={side}
      height={side}
      loading="lazy"
    />
  );
}

export interface Named {
  id: number;
  name: string;
  username: string;
  profile_image: string | null;
}

/** Shows a text, maybe with some words marked. */
export type ShowText = (text: string) => ComponentChildren;

const plain: ShowText = (text) => text;

export function PersonLink({
  person,
  show = plain,
}: {
  person: Pick<Named, "name" | "username">;
  show?: ShowText | undefined;
}) {
  return (
    <a href={profilePath(person.username)} dir="auto">
      {show(person.name)}
    </a>
  );
}

export function TagLink({ name, show = plain }: { name: string; show?: ShowText | undefined }) {
  return (
    <a class="tag" href={tagPath(name)} dir="auto">
      <span aria-hidden="true">#</span>
      {show(name)}
    </a>
  );
}

export function TagList({ names, show }: { names: readonly string[]; show?: ShowText | undefined }) {
  if (names.length === 0) return null;
  return (
    <ul class="tags" aria-label="Tags">
      {names.map((name) => (
        <li>
          <TagLink name={name} show={show} />
        </li>
      ))}
    </ul>
  );
}

/** A day in UTC; the year where it isn't the current one. */
export function Day({ date, now }: { date: Date; now?: Date | undefined }) {
  const isThisYear = now !== undefined && date.getUTCFullYear() === now.getUTCFullYear();
  const day = `${date.getUTCDate()} ${shortMonth(date)}`;
  return <time datetime={date.toISOString()}>{isThisYear ? day : `${day} ${date.getUTCFullYear()}`}</time>;
}

/** `1 comment`, `2 comments`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

export interface PageLinks {
  prev?: string | undefined;
  next?: string | undefined;
}

export function Pager({
  prev,
  next,
  of = "Newer, Older",
}: PageLinks & { of?: "Newer, Older" | "Previous, Next" }) {
  if (prev === undefined && next === undefined) return null;
  const [before, after] = of.split(", ");
  return (
    <nav class="pager" aria-label="Pages">
      {prev !== undefined && (
        <a href={prev} rel="prev">
          <Icon name="arrow-left" /> {before}
        </a>
      )}
      {next !== undefined && (
        <a href={next} rel="next">
          {after} <Icon name="arrow-right" />
        </a>
      )}
    </nav>
  );
}

export interface Tab {
  label: string;
  href: string;
  isCurrent: boolean;
}

export function Tabs({
  label,
  tabs,
  wraps = false,
}: {
  label: string;
  tabs: readonly Tab[];
  wraps?: boolean;
}) {
  return (
    <nav class={wraps ? "tabs wrapping" : "tabs"} aria-label={label}>
      {tabs.map((tab) => (
        <a href={tab.href} {...(tab.isCurrent && { "aria-current": "page" as const })}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}

/** Stands open, without its summary, where there is room for it; on a phone the summary opens it. */
export function Folded({
  summary,
  isOpen = false,
  children,
}: {
  summary: ComponentChildren;
  isOpen?: boolean;
  children: ComponentChildren;
}) {
  return (
    <details class="folded" open={isOpen}>
      <summary>
        <span>{summary}</span>
        <Icon name="chevron-down" />
      </summary>
      {children}
    </details>
  );
}

/** A list without rows: why, and one next step. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

interface NoRowsProps {
  noun: string;
  /** The first page, unless this is it. */
  first: string | undefined;
  /** The title of an empty list. */
  title: string;
  children?: ComponentChildren;
}

/** Stands for the rows of a page that has none: it is behind the last one, or the list is empty. */
export function NoRows({ noun, first, title, children }: NoRowsProps) {
  if (first === undefined) return <Empty title={title}>{children}</Empty>;
  return (
    <Empty title={`No more ${noun}`}>
      <p>
        <a href={first}>Back to the first page</a>
      </p>
    </Empty>
  );
}

export interface Crumb {
  label: string;
  href: string;
}

export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ label, href }) => (
          <li>
            <a href={href} dir="auto">
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** schema.org BreadcrumbList. */
export function breadcrumbData(baseUrl: string, crumbs: readonly Crumb[]): object {
  return {
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ label, href }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: label,
      item: baseUrl + href,
    })),
  };
}

/** The text of a script. JSON can't close it, nor begin a comment. */
export function jsonFor(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
