import * as moderation from "../../community/moderation/tags.ts";
import * as editing from "../../community/tags/editing.ts";
import { operator } from "../../http/actor.ts";
import { count } from "../../platform/text/sentences.ts";
import { command, group } from "./command.ts";

interface Edit {
  tag: string;
  bgColor?: string;
  textColor?: string;
  summary?: string;
}

interface Alias {
  name: string;
  tag: string | undefined;
  remove?: boolean;
}

export const addTag = group("tag", "change and merge tags", [
  command({
    name: "edit",
    text: "change how a tag is shown; an empty text removes a field",
    args: { "<tag>": "its name" },
    options: {
      "--bg-color <colour>": "the colour behind its name, like #f7df1e",
      "--text-color <colour>": "the colour of its name",
      "--summary <text>": "what it is about",
    },
    json: ["id", "name", "changed"],
    examples: "inkstone tag edit javascript --bg-color '#f7df1e' --text-color '#000000'",
    run: (db, { tag, bgColor, textColor, summary }: Edit) => {
      const change = { bg_color_hex: bgColor, text_color_hex: textColor, short_summary: summary };
      return editing.edit(operator(db), { name: tag, change });
    },
    print: ({ name, changed }) =>
      changed ? `Changed the tag ${name}.` : `The tag ${name} already has these values.`,
  }),
  command({
    name: "alias",
    text: "make a name an alias of a tag, or a tag of its own again",
    args: {
      "<name>": "the alias, which may be a new name",
      "[tag]": "the tag that it stands for",
    },
    options: { "--remove": "make the alias a tag of its own" },
    json: 'print {"alias", "tag", "changed", "articles", "listings"}, or {"id", "name", "changed"} with --remove',
    examples: ["inkstone tag alias js javascript", "inkstone tag alias js --remove"],
    run: async (db, { name, tag: of, remove }: Alias, { refuse }) => {
      if (remove && of !== undefined)
        return refuse("Give either the tag that it stands for or --remove, not both");
      if (remove) return editing.removeAlias(operator(db), name);
      if (of === undefined) return refuse("Name the tag that it stands for, or give --remove");
      return moderation.aliasTag(operator(db), { name, of });
    },
    print: (result) => {
      const { changed } = result;
      if ("name" in result)
        return `${result.name} is ${changed ? "a tag of its own" : "no other name of any tag"}.`;
      const state = `${result.alias} is ${changed ? "now" : "already"} another name of ${result.tag}.`;
      return `${state} ${movedOf(result)}`;
    },
  }),
  command({
    name: "merge",
    text: "move everything from one tag to another; the first becomes its alias",
    args: { "<from>": "the tag that becomes an alias", "<into>": "the tag that stays" },
    json: ["from", "into", "articles", "listings"],
    examples: "inkstone tag merge garden gardening",
    run: async (db, { from, into }: { from: string; into: string }) => {
      const { alias, tag, ...moved } = await moderation.aliasTag(operator(db), {
        name: from,
        of: into,
        mustExist: true,
      });
      return { from: alias, into: tag, ...moved };
    },
    print: (merged) => `Merged ${merged.from} into ${merged.into}: ${movedOf(merged)}`,
  }),
]);

const movedOf = ({ articles, listings }: { articles: number; listings: number }): string =>
  `${count(articles, "article")} and ${count(listings, "listing")} moved.`;
