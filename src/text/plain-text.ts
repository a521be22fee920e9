const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/**
 * One line, without the signs of footnotes. Only for output of `sanitise`, which has no other entities and no bare
 * angle brackets.
 */
export function plainText(html: string): string {
  return html
    .replaceAll(/<(sup|a) class="footnote-(?:ref|back)"[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<\/?(?:a|b|strong|i|em|u|s|code|span|sub|sup|small|mark|abbr|kbd|del|ins|wbr)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
}
