import { type AppError, invalid, notFound } from "../errors.ts";

/** What Fastify tells of a value that its schema refused. */
interface Fault {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Turns what a schema refused into a sentence; `part` is the part of the request it was found in. */
export function toRefusal(faults: Fault[], part: string): AppError {
  const [fault] = faults;
  if (fault === undefined || part === "params") return notFound();
  return invalid(sentence(fault));
}

function sentence({ keyword, instancePath, params, message = "isn't what it must be" }: Fault): string {
  const path = instancePath.split("/").slice(1).map(unescape);
  if (keyword === "required") {
    return `param is missing or the value is empty: ${[...path, String(params["missingProperty"])].join(".")}`;
  }
  const name = path.length === 0 ? "The body" : path.join(".");
  if (keyword === "type") return `${name} must be ${[params["type"]].flat().map(withArticle).join(" or ")}`;
  if (keyword === "enum")
    return `${name} must be one of ${(params["allowedValues"] as unknown[]).join(", ")}`;
  if (keyword === "maxLength")
    return `${name} is too long (maximum is ${String(params["limit"])} characters)`;
  return `${name} ${message}`;
}

const NAMES: Record<string, string> = {
  string: "a string",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  array: "an array",
  object: "an object",
  null: "null",
};

function withArticle(type: unknown): string {
  return NAMES[String(type)] ?? String(type);
}

/** Undoes what a JSON pointer does to the names in it. */
function unescape(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
