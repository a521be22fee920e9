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

interface Component {
  holder: Json;
  key: string;
  /** The name among the components, if no other part has it. */
  name: string;
  /** The operation that has the part; its id makes the name unique. */
  owner: string;
}

interface Response {
  headers?: Json;
  content?: Record<string, Json>;
}

interface Operation {
  operationId: string;
  parameters?: { name: string }[];
  responses?: Json;
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
    ...operations.flatMap(({ operationId: owner, responses: own = {} }) =>
      Object.values(own).map((response) => ({ owner, response: response as Response })),
    ),
  ];
  const headers = share(
    "headers",
    written.flatMap(({ owner, response: { headers: holder = {} } }) =>
      Object.keys(holder).map((key) => ({ holder, key, name: key, owner })),
    ),
  );
  const media = written.flatMap(examplesOf);
  const examples = share("examples", media);
  // Only a named example can be shared.
  for (const { content, holder, key } of media) {
    if (!("$ref" in (holder[key] as object))) continue;
    delete content["example"];
    content["examples"] = holder;
  }
  Object.assign(copy.components, { responses, parameters, headers, examples });
  return copy;
}

function share(kind: string, parts: Component[]): Json {
  const texts = parts.map(({ holder, key }) => JSON.stringify(holder[key]));
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const shared: Json = {};
  const names = new Map<string, string>();
  for (const [index, { holder, key, name, owner }] of parts.entries()) {
    const text = texts[index] as string;
    if (counts.get(text) === 1) continue;
    const chosen = names.get(text) ?? (name in shared ? `${owner}.${name}` : name);
    names.set(text, chosen);
    shared[chosen] = holder[key];
    holder[key] = { $ref: `#/components/${kind}/${chosen}` };
  }
  return shared;
}

function parametersOf({ operationId: owner, parameters = [] }: Operation): Component[] {
  const holder = parameters as unknown as Json;
  return parameters.map(({ name }, index) => ({ holder, key: String(index), name, owner }));
}

function responsesOf({ operationId: owner, responses: holder = {} }: Operation): Component[] {
  return Object.keys(holder).map((key) => {
    const name = Number(key) < 300 ? owner : (STATUS_CODES[key] ?? key).replaceAll(" ", "");
    return { holder, key, name, owner };
  });
}

function examplesOf({ owner, response: { content: types = {} } }: { owner: string; response: Response }) {
  return Object.values(types).map((content) => {
    const holder: Json = { [owner]: { value: content["example"] } };
    return { content, holder, key: owner, name: owner, owner };
  });
}
