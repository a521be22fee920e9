/**
 * A name behind an `@` that is no part of an address (`lena@example.com`, `@lena@example.com`) or a package
 * (`@scope/name`).
 */
export const MENTION = /(?<![\w@/.])@(\w{2,30})(?![\w@]|[/.-]\w)/gu;

/** Code, and links that lead elsewhere than to the mentioned person. */
const SILENT = /<(pre|code)\b[^>]*>[\s\S]*?<\/\1>|<a\b[^>]*>(?!@\w{2,30}<\/a>)[\s\S]*?<\/a>/g;

/**
 * Gives the usernames that a text mentions, in lower case, each once, in the order of the text. Whether
 * anybody has such a name is another question. Only for what `sanitise` made.
 */
export function mentionsIn(html: string): string[] {
  const text = html.replaceAll(SILENT, " ").replaceAll(/<[^>]*>/g, " ");
  return [...new Set([...text.matchAll(MENTION)].map(([, name]) => String(name).toLowerCase()))];
}
