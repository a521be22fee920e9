/** `--only user,tag` as a list. */
export function parseTypes(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
