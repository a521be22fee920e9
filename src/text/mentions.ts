/** No address (`lena@example.com`, `@lena@example.com`) and no package (`@scope/name`). */
export const MENTION = /(?<![\w@/.])@(\w{2,30})(?![\w@]|[/.-]\w)/gu;

/** Code, and links elsewhere than to the mentioned person. */
const SILENT = /<(pre|code)\b[^>]*>[\s\S]*?<\/\1>|<a\b[^>]*>(?!@\w{2,30}<\/a>)[\s\S]*?<\/a>/g;

/** Lower-case usernames, each once, in order; they may not exist. Only for output of `sanitise`. */
export function mentionsIn(html: string): string[] {
  const text = html.replaceAll(SILENT, " ").replaceAll(/<[^>]*>/g, " ");
  return [...new Set([...text.matchAll(MENTION)].map(([, name]) => String(name).toLowerCase()))];
}
