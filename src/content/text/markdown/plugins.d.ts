declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";
  const plugin: (markdownIt: MarkdownIt) => void;
  export default plugin;
}

declare module "markdown-it-emoji/lib/data/full.mjs" {
  const characters: Record<string, string>;
  export default characters;
}
