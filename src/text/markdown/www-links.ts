import type { MarkdownIt } from "markdown-it";

const MAX_CHARACTERS = 2000;

/** Makes links of addresses that begin with `www.`, but not of other names: `README.md` is a file. */
export function wwwLinks({ linkify }: MarkdownIt): void {
  linkify.add("www.", {
    validate: (text, at, links) => links.testSchemaAt(`//${text.slice(at, at + MAX_CHARACTERS)}`, "//", 2),
    normalize: (match) => {
      match.url = `https://${match.url}`;
    },
  });
}
