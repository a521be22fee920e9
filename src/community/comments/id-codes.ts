/** The code of an id is base 26, with the digits 0-9 and a-p. */
export { base26 as idCode } from "../../content/text/slug.ts";

const MAX_ID = 2_147_483_647;

/** Undefined for an impossible code. */
export function idOf(code: string): number | undefined {
  if (!/^[1-9a-p][0-9a-p]{0,6}$/i.test(code)) return undefined;
  const id = Number.parseInt(code, 26);
  return id <= MAX_ID ? id : undefined;
}
