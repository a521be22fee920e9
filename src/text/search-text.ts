import { terms, tokens, type Term } from "./tokens.ts";

export { fold } from "./fold.ts";
export { tokens } from "./tokens.ts";
