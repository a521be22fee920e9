import { STATUS_CODES } from "node:http";

type Json = Record<string, unknown>;

export function nameSchemas<Document extends object>(document: Document): Document {
  const schemas: Json = {};
  const paths = move((document as Json)["paths"], schemas);
  const components = (document as Json)["components"] as Json;
  return { ...document, paths, components: { ...components, schemas: sorted(schemas) } };
}

function move(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => move(item, schemas));
  if (typeof value !== "object" || value === null) return value;
  if ("x-named" in value) return { $ref: `#/components/schemas/${String(value["x-named"])}` };
  const moved = Object.fromEntries(
    Object.entries(value).map(([key, held]) => [key, keep(key, held, schemas)]),
  );
  const { title, type } = moved;
  // Enumerations of strings have no type.
  if (Array.isArray(moved["enum"])) return { type: "string", ...moved };
  if (typeof title !== "string" || type !== "object") return moved;
  const { title: _, ...schema } = moved;
  if (schemas[title] !== undefined && JSON.stringify(schemas[title]) !== JSON.stringify(schema)) {
    throw new Error(`Two different schemas have the title ${title}`);
  }
  schemas[title] = schema;
  return { $ref: `#/components/schemas/${title}` };
}

function keep(key: string, held: unknown, schemas: Json): unknown {
  return key === "example" || key === "examples" || key === "default" ? held : move(held, schemas);
}

function sorted(schemas: Json): Json {
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface Part {
  value: unknown;
  /** The name among the components, if no other part has it. */
  name: string;
  /** The operation that has the part; its id makes the name unique. */
  owner: string;
  replace: (reference: object) => void;
}

interface Response {
  headers?: Json;
  content?: Record<string, Json>;
}

interface Operation {
  operationId?: string;
  parameters?: { name: string }[];
  responses?: Record<string, Response>;
}

/** Moves repeated responses, parameters, headers and examples to the components. */
export function shareRepeated<Document extends object>(document: Document): Document {
  const copy = structuredClone(document) as Document & { paths: Json; components: Json };
  const operations = Object.values(copy.paths).flatMap((path) => Object.values(path as Json)) as Operation[];
  const parameters = share("parameters", operations.flatMap(parametersOf));
  const responses = share("responses", operations.flatMap(responsesOf));
  // Shared responses are no longer among those of operations.
  const written = [
    ...Object.entries(responses).map(([owner, response]) => ({ owner, response: response as Response })),
    ...operations.flatMap(({ operationId: owner = "", responses: own = {} }) =>
      Object.values(own).map((response) => ({ owner, response })),
    ),
  ];
  const headers = share("headers", written.flatMap(headersOf));
  const examples = share("examples", written.flatMap(examplesOf));
  Object.assign(copy.components, { responses, parameters, headers, examples });
  return copy;
}

function share(kind: string, parts: Part[]): Json {
  const texts = parts.map(({ value }) => JSON.stringify(value));
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const shared: Json = {};
  const names = new Map<string, string>();
  for (const [index, { value, name, owner, replace }] of parts.entries()) {
    const text = texts[index] as string;
    if (counts.get(text) === 1) continue;
    const chosen = names.get(text) ?? (name in shared ? `${owner}.${name}` : name);
    names.set(text, chosen);
    shared[chosen] = value;
    replace({ $ref: `#/components/${kind}/${chosen}` });
  }
  return shared;
}

function parametersOf({ operationId: owner = "", parameters = [] }: Operation): Part[] {
  return parameters.map((value, index) => ({
    value,
    name: value.name,
    owner,
    replace: (reference) => parameters.splice(index, 1, reference as { name: string }),
  }));
}

function responsesOf({ operationId: owner = "", responses = {} }: Operation): Part[] {
  return Object.entries(responses).map(([status, value]) => ({
    value,
    name: Number(status) < 300 ? owner : (STATUS_CODES[status] ?? status).replaceAll(" ", ""),
    owner,
    replace: (reference) => void (responses[status] = reference),
  }));
}

interface Written {
  owner: string;
  response: Response;
}

function headersOf({ owner, response: { headers = {} } }: Written): Part[] {
  return Object.entries(headers).map(([name, value]) => ({
    value,
    name,
    owner,
    replace: (reference) => void (headers[name] = reference),
  }));
}

function examplesOf({ owner, response: { content = {} } }: Written): Part[] {
  return Object.values(content).map((media) => ({
    value: { value: media["example"] },
    name: owner,
    owner,
    replace: (reference) => {
      delete media["example"];
      media["examples"] = { [owner]: reference };
    },
  }));
}
