import { quote } from "../text/quote.ts";

export function quoteKey(key: string): string {
  return /^\w{1,60}$/.test(key) ? key : quote(key);
}

export function describe(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === null) return "null (leave the key out)";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : JSON.stringify(value);
}
