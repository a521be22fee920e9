const QUOTED_CHARACTERS = 60;

/** Makes a text short, and harmless in a terminal. */
export function quote(text: string): string {
  const characters = Array.from(text.slice(0, 2 * QUOTED_CHARACTERS));
  const isLong = characters.length > QUOTED_CHARACTERS || text.length > 2 * QUOTED_CHARACTERS;
  const shown = isLong ? `${characters.slice(0, QUOTED_CHARACTERS).join("")}…` : text;
  return JSON.stringify(shown).replaceAll(/[\u007f-\u009f\p{Cf}]/gu, (sign) => {
    return `\\u{${sign.codePointAt(0)?.toString(16)}}`;
  });
}
