type Json = Record<string, unknown>;

/** Moves every object schema with a title to the components. */
export function nameSchemas<Document extends object>(document: Document): Document {
  const schemas: Json = {};
  const paths = move((document as Json)["paths"], schemas);
  const components = (document as Json)["components"] as Json;
  return { ...document, paths, components: { ...components, schemas: sorted(schemas) } };
}

function move(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => move(item, schemas));
  if (typeof value !== "object" || value === null) return value;
  // A schema within itself has only its title.
  if ("x-named" in value) return { $ref: `#/components/schemas/${String(value["x-named"])}` };
  const moved = Object.fromEntries(
    Object.entries(value).map(([key, held]) => [key, keep(key, held, schemas)]),
  );
  const { title, type } = moved;
  // The schemas of enumerations, which hold strings only, have no type.
  if (Array.isArray(moved["enum"])) return { type: "string", ...moved };
  if (typeof title !== "string" || type !== "object") return moved;
  const { title: _, ...schema } = moved;
  if (schemas[title] !== undefined && JSON.stringify(schemas[title]) !== JSON.stringify(schema)) {
    throw new Error(`Two different schemas have the title ${title}`);
  }
  schemas[title] = schema;
  return { $ref: `#/components/schemas/${title}` };
}

/** Examples and defaults can look like schemas. */
function keep(key: string, held: unknown, schemas: Json): unknown {
  return key === "example" || key === "examples" || key === "default" ? held : move(held, schemas);
}

function sorted(schemas: Json): Json {
  return Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
