import { commentPath, listingPath, profilePath, tagPath } from "../../../platform/paths.ts";
import { articlePath, pathHere, type References } from "../references.ts";
import { isHttpUrl } from "../../../platform/text/urls.ts";
import { type Service, SERVICES } from "./services.ts";

interface CardKind {
  name: string;
  aliases?: readonly string[];
  noun: string;
  pattern: RegExp;
  path: (name: string) => string;
  text: (name: string) => string;
}

function place(name: string, noun: string, pattern: RegExp, options: Partial<CardKind> = {}): CardKind {
  return { name, noun, pattern, path: profilePath, text: (name) => name, ...options };
}

export const PLACES: readonly CardKind[] = [
  place("user", "username", /^[@/]?(\w{2,30})$/),
  place("organization", "organization's username", /^[@/]?(\w{2,30})$/),
  place("tag", "tag", /^(?:#|\/t\/)?([\p{L}\p{N}]{1,30})$/u, {
    // The path as people read it.
    path: (name) => decodeURI(tagPath(name)),
    text: (name) => `#${name}`,
  }),
  place("comment", "comment's code", /^(?:(?:\/\w{2,30})?\/comments?\/)?([a-z0-9]{1,12})$/, {
    aliases: ["devcomment"],
    path: commentPath,
    text: (name) => `Comment ${name}`,
  }),
  place("listing", "listing's category and slug", /^(?:\/?listings\/)?([\w-]{1,50}\/[\w-]{1,150})$/, {
    path: listingPath,
    text: (name) => `Listing ${name}`,
  }),
  place("podcast", "podcast's path", /^\/?([\w-]{2,50}(?:\/[\w-]{1,150})?)$/, {
    text: (name) => `Podcast ${name}`,
  }),
];

export interface Card {
  kind: string;
  href: string;
  text: string;
}

const BY_NAME = new Map(SERVICES.map((service) => [service.name, service]));
const OWN_KINDS: ReadonlySet<string> = new Set(["article", ...PLACES.map(({ name }) => name)]);

/** Whether a card's address is of its kind, so that no card looks like another kind's. */
export function isOfKind(kind: string, href: string): boolean {
  if (OWN_KINDS.has(kind)) return /^\/[^/\\]/.test(href);
  if (!isHttpUrl(href)) return false;
  const service = BY_NAME.get(kind);
  return service ? isOn(service, new URL(href)) : kind === "link";
}

export function serviceCard(service: Service, address: string): Card | undefined {
  const url = addressOf(service, address);
  return url && cardOf(service, url);
}

export function anyCard(address: string, references: References): Card | undefined {
  return knownCard(address, references) ?? linkCard(address);
}

export function articleCard(address: string, references: References): Card | undefined {
  const path = articlePath(address, references.baseUrl);
  if (path === undefined) return linkCard(address);
  return { kind: "article", href: path, text: references.titles.get(path) ?? path };
}

export function placeCard(place: CardKind, address: string, { baseUrl }: References): Card | undefined {
  const path = pathHere(address, baseUrl).replace(/\/$/, "");
  const name = place.pattern.exec(path)?.[1];
  if (name === undefined) return linkCard(address);
  return { kind: place.name, href: place.path(name).toLowerCase(), text: place.text(name) };
}

/** Undefined for addresses elsewhere than here and on known services. */
export function knownCard(
  address: string,
  references: References,
  { isAlone = false } = {},
): Card | undefined {
  if (!isHttpUrl(address)) return undefined;
  const isHere = pathHere(address, references.baseUrl) !== address;
  if (isHere) {
    const path = articlePath(address, references.baseUrl);
    return path === undefined ? undefined : articleCard(path, references);
  }
  for (const service of SERVICES) {
    if (isAlone && !service.isCardAlone) continue;
    const url = addressOf(service, address);
    if (url && (service.paths?.test(url.pathname + url.search) ?? true)) return cardOf(service, url);
  }
  return undefined;
}

function addressOf(service: Service, argument: string): URL | undefined {
  const [pattern, template] = service.short?.find(([pattern]) => pattern.test(argument)) ?? [];
  const address = pattern && template ? argument.replace(pattern, template) : argument;
  if (!isHttpUrl(address)) return undefined;
  const url = new URL(address);
  return isOn(service, url) ? url : undefined;
}

function isOn({ hosts }: Service, { hostname }: URL): boolean {
  return hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

function cardOf({ name, label, shown }: Service, url: URL): Card {
  const path = url.pathname.replaceAll(/^\/|\/$/g, "") + url.search + url.hash;
  const part = shown?.exec(path)?.[1] ?? path;
  return { kind: name, href: url.href, text: part === "" ? label : `${label}: ${shortened(part)}` };
}

function linkCard(address: string): Card | undefined {
  if (!isHttpUrl(address)) return undefined;
  return {
    kind: "link",
    href: address,
    text: shortened(address.replace(/^https?:\/\/(?:www\.)?|\/$/gi, "")),
  };
}

const MAX_SHOWN = 80;

function shortened(text: string): string {
  const characters = Array.from(text.slice(0, MAX_SHOWN * 2 + 1));
  return characters.length <= MAX_SHOWN ? text : `${characters.slice(0, MAX_SHOWN - 1).join("")}…`;
}
