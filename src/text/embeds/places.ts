/** What tags of this site's own pages lead to. */
export interface Place {
  /** What its tag and its class are called. */
  name: string;
  aliases?: readonly string[];
  /** What it is called in a warning. */
  noun: string;
  /** The argument, or the path of an address of this site, with the name as its group. */
  pattern: RegExp;
  path: string;
  /** What readers see, with the same group. */
  text: string;
}

export const PLACES: readonly Place[] = [
  {
    name: "user",
    noun: "username",
    pattern: /^[@/]?(\w{2,30})$/,
    path: "/$1",
    text: "$1",
  },
  {
    name: "organization",
    noun: "organization's username",
    pattern: /^[@/]?(\w{2,30})$/,
    path: "/$1",
    text: "$1",
  },
  {
    name: "tag",
    noun: "tag",
    pattern: /^(?:#|\/t\/)?([\p{L}\p{N}]{1,30})$/u,
    path: "/t/$1",
    text: "#$1",
  },
  {
    name: "comment",
    aliases: ["devcomment"],
    noun: "comment's code",
    pattern: /^(?:(?:\/\w{2,30})?\/comments?\/)?([a-z0-9]{1,12})$/,
    path: "/comments/$1",
    text: "Comment $1",
  },
  {
    name: "listing",
    noun: "listing's category and slug",
    pattern: /^(?:\/?listings\/)?([\w-]{1,50}\/[\w-]{1,150})$/,
    path: "/listings/$1",
    text: "Listing $1",
  },
  {
    name: "podcast",
    noun: "podcast's path",
    pattern: /^\/?([\w-]{2,50}(?:\/[\w-]{1,150})?)$/,
    path: "/$1",
    text: "Podcast $1",
  },
];
