/** Writes a token as PostgreSQL's text search types read it. */
export function quoteLexeme(token: string): string {
  const isPlain = !token.includes("'") && !token.includes("\\");
  return `'${isPlain ? token : token.replaceAll(/['\\]/g, "$&$&")}'`;
}
