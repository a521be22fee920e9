import { commentPath, listingPath, profilePath, tagPath } from "../../paths.ts";

/** What tags of this site's own pages lead to. */
export interface Place {
  /** What its tag and its class are called. */
  name: string;
  aliases?: readonly string[];
  /** What it is called in a warning. */
  noun: string;
  /** The argument, or the path of an address of this site, with the name as its group. */
  pattern: RegExp;
  path: (name: string) => string;
  /** What readers see. */
  text: (name: string) => string;
}

export const PLACES: readonly Place[] = [
  {
    name: "user",
    noun: "username",
    pattern: /^[@/]?(\w{2,30})$/,
    path: profilePath,
    text: (name) => name,
  },
  {
    name: "organization",
    noun: "organization's username",
    pattern: /^[@/]?(\w{2,30})$/,
    path: profilePath,
    text: (name) => name,
  },
  {
    name: "tag",
    noun: "tag",
    pattern: /^(?:#|\/t\/)?([\p{L}\p{N}]{1,30})$/u,
    // As people read it.
    path: (name) => decodeURI(tagPath(name)),
    text: (name) => `#${name}`,
  },
  {
    name: "comment",
    aliases: ["devcomment"],
    noun: "comment's code",
    pattern: /^(?:(?:\/\w{2,30})?\/comments?\/)?([a-z0-9]{1,12})$/,
    path: commentPath,
    text: (name) => `Comment ${name}`,
  },
  {
    name: "listing",
    noun: "listing's category and slug",
    pattern: /^(?:\/?listings\/)?([\w-]{1,50}\/[\w-]{1,150})$/,
    path: listingPath,
    text: (name) => `Listing ${name}`,
  },
  {
    name: "podcast",
    noun: "podcast's path",
    pattern: /^\/?([\w-]{2,50}(?:\/[\w-]{1,150})?)$/,
    path: profilePath,
    text: (name) => `Podcast ${name}`,
  },
];
