/** Counts the links to other places. @param html output of `sanitise`, which marks them */
export function countLinks(html: string): number {
  return html.match(/<a\b[^>]* rel="nofollow ugc noopener"/g)?.length ?? 0;
}

/** Counts the addresses in a text that is shown as it is. */
export function countAddresses(text: string): number {
  return text.match(/https?:\/\/(?:www\.)?|\bwww\./gi)?.length ?? 0;
}
