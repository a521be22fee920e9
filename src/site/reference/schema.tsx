import { inlineCode } from "./inline.tsx";
import type { ApiDocument, Parameter, Schema } from "./document.ts";

type Schemas = ApiDocument["schemas"];

interface FieldsProps {
  schema: Schema;
  schemas: Schemas;
  /** The names of the schemas around this one: a schema that contains itself is shown once. */
  around?: readonly string[];
  /** Whether it says which fields are required, as in a request. */
  isRequest?: boolean;
}

/** The fields of an object, or of the objects in an array. */
export function Fields({ schema, schemas, around = [], isRequest = false }: FieldsProps) {
  const { properties = {}, required = [], name } = objectIn(schema, schemas);
  const inside = name === undefined ? around : [...around, name];
  return (
    <ul class="fields">
      {Object.entries(properties).map(([key, field]) => (
        <li>
          <code class="name">{key}</code> <TypeOf schema={field} schemas={schemas} />
          {isRequest && required.includes(key) && <span class="required">required</span>}
          {!isRequest && !required.includes(key) && <span class="optional">may be absent</span>}
          <Description schema={field} schemas={schemas} />
          <Nested schema={field} schemas={schemas} around={inside} isRequest={isRequest} />
        </li>
      ))}
    </ul>
  );
}

function Description({ schema, schemas }: { schema: Schema; schemas: Schemas }) {
  const text = schema.description ?? referred(schema, schemas).description;
  return text === undefined ? null : <p>{inlineCode(text)}</p>;
}

function Nested({ schema, schemas, around = [], isRequest = false }: FieldsProps) {
  const { properties, name } = objectIn(schema, schemas);
  if (properties === undefined || (name !== undefined && around.includes(name))) return null;
  return (
    <details open={isRequest}>
      <summary>{Object.keys(properties).length} fields</summary>
      <Fields schema={schema} schemas={schemas} around={around} isRequest={isRequest} />
    </details>
  );
}

function referred(schema: Schema, schemas: Schemas): Schema {
  return (schema.$ref !== undefined && schemas[nameOf(schema.$ref)]) || schema;
}

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);

function objectIn(schema: Schema, schemas: Schemas): Schema & { name?: string } {
  if (schema.$ref !== undefined) return { ...referred(schema, schemas), name: nameOf(schema.$ref) };
  return schema.items ? objectIn(schema.items, schemas) : schema;
}

/** `string or null`, `array of objects`, `one of …`. */
function TypeOf({ schema, schemas }: { schema: Schema; schemas: Schemas }) {
  const { enum: choices, const: only } = schema;
  return (
    <span class="type">
      {typeName(schema, schemas)}
      {choices && ": "}
      {choices?.map((choice, index) => (
        <>
          {index > 0 && ", "}
          <code>{choice}</code>
        </>
      ))}
      {only !== undefined && (
        <>
          : <code>{String(only)}</code>
        </>
      )}
      {boundsOf(schema).map((bound) => `, ${bound}`)}
    </span>
  );
}

function typeName(schema: Schema, schemas: Schemas): string {
  if (schema.$ref !== undefined) return referred(schema, schemas).type as string;
  if (schema.anyOf) return schema.anyOf.map((one) => typeName(one, schemas)).join(" or ");
  const { type = "string", format, items } = schema;
  const names = [type].flat().map((one) => FORMATS[format ?? ""] ?? one);
  const [first = "string"] = names;
  if (items) return `array of ${typeName(items, schemas)}s`;
  return [type].flat().includes("null") ? `${first} or null` : first;
}

const FORMATS: Record<string, string> = { uri: "URL", "date-time": "date-time", binary: "file" };

/** The parameters of an operation that stand in one place. */
export function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <ul class="fields">
      {parameters.map(({ name, schema, required, description }) => (
        <li id={`param-${name}`}>
          <code class="name">{name}</code> <TypeOf schema={schema} schemas={{}} />
          {required && <span class="required">required</span>}
          <p>{inlineCode(description)}</p>
        </li>
      ))}
    </ul>
  );
}

const MAX_INT = 2_147_483_647;

function boundsOf({ minimum, maximum, maxLength, default: usual }: Schema): string[] {
  return [
    ...(maximum !== undefined && maximum < MAX_INT ? [`${minimum} to ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(usual === undefined ? [] : [`default ${String(usual)}`]),
  ];
}
