import { type TObject, type TSchema, Type } from "typebox";
import { FieldsError, invalid } from "../errors.ts";
import { countCharacters } from "../text/valid-text.ts";
import { parseMoment } from "../text/dates.ts";
import { joinSentences } from "../text/sentences.ts";
import { faultsOfTags, parseTagList } from "../text/tags.ts";

/** Reports a fault. `field` replaces its name in the list of faults, `label` at the start of a sentence. */
export type Report = (words: string, field?: string, label?: string) => undefined;

/** An attribute in requests, commands and records. The `schema.ts` of its noun describes it in answers. */
export interface Field<Value> {
  schema: TSchema;
  /** The value to store; undefined when there is none, or when a fault is reported. */
  read(value: unknown, report: Report, name: string): Value | undefined;
  frontMatter?: string;
}

type Fields = Record<string, Field<unknown>>;

export type Values<Declared extends Fields> = {
  [Name in keyof Declared]?: Exclude<ReturnType<Declared[Name]["read"]>, undefined>;
};

export type Input = Record<string, unknown>;

interface Fault {
  field: string;
  words: string;
  label: string;
}

/** Gathers the faults of an input, so that one refusal names all of them. */
export function createErrors() {
  const groups: Fault[][] = [];
  return {
    /** Reports faults of one field; in the sentence of the refusal, they are joined before those of others. */
    of(name: string, label?: string): Report {
      const group: Fault[] = [];
      groups.push(group);
      return (words, field = name, own = label ?? labelOf(field)) => {
        group.push({ field, words, label: own });
        return undefined;
      };
    },
    /** @throws FieldsError when anything was reported */
    throwIfAny(compose: (sentences: string[]) => string = joinSentences): void {
      const faulty = groups.filter((faults) => faults.length > 0);
      if (faulty.length === 0) return;
      const fields: Record<string, string[]> = {};
      for (const { field, words } of faulty.flat()) (fields[field] ??= []).push(words);
      const sentences = faulty.map((faults) =>
        joinSentences(faults.map(({ label, words }) => `${label} ${words}`)),
      );
      throw new FieldsError(fields, compose(sentences));
    },
  };
}
export type FieldErrors = ReturnType<typeof createErrors>;

/** `tag_line` at the beginning of a sentence: "Tag line". */
export const labelOf = (field: string): string =>
  `${field.charAt(0).toUpperCase()}${field.slice(1)}`.replaceAll("_", " ");

/** Reads what an input says of the fields, in the order of their declaration. Unknown keys are ignored. */
export function readFields<Declared extends Fields>(fields: Declared, input: Input, errors: FieldErrors) {
  const values = Object.entries(fields).flatMap(([name, field]) => {
    const value = input[name] === undefined ? undefined : field.read(input[name], errors.of(name), name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values) as Values<Declared>;
}

/** Reads one value. @throws FieldsError */
export function readField<Value>(field: Field<Value>, value: unknown, name: string, label?: string): Value {
  const errors = createErrors();
  const read = field.read(value, errors.of(name, label), name);
  errors.throwIfAny();
  return read as Value;
}

export function checked<Declared extends Fields>(fields: Declared, input: object): Values<Declared> {
  const errors = createErrors();
  const values = readFields(fields, input as Input, errors);
  errors.throwIfAny();
  return values;
}

export function accepts(field: Field<unknown>, value: unknown): boolean {
  let isAccepted = true;
  field.read(value, () => void (isAccepted = false), "");
  return isAccepted;
}

interface Request {
  title: string;
  description: string;
  attributes: string;
  required?: readonly string[];
  example: Input;
}

/** The schema of a body whose attributes stand under the name of their noun; old clients may use another name. */
export function requestSchema(
  fields: Fields,
  [name, oldName]: readonly [string, string?],
  { title, description, attributes, required = [], example }: Request,
): TObject {
  const properties = Object.entries(fields).map(([name, { schema }]) => [
    name,
    required.includes(name) ? schema : Type.Optional(schema),
  ]);
  const inner = Type.Object(Object.fromEntries(properties) as Record<string, TSchema>, {
    title: `${title}Attributes`,
    description: attributes,
  });
  const outer = { [name]: inner, ...(oldName !== undefined && { [oldName]: Type.Optional(inner) }) };
  return Type.Object(outer, { title, description, examples: [{ [name]: example }] });
}

/** The attributes in a body of such a schema. @throws AppError invalid when there are none */
export function attributesIn(body: unknown, [name, oldName = name]: readonly [string, string?]): Input {
  const outer = isObject(body) ? body : {};
  const given = outer[name] ?? outer[oldName];
  if (isObject(given) && Object.keys(given).length > 0) return given;
  throw invalid(`param is missing or the value is empty: ${name}`);
}

export const isObject = (value: unknown): value is Input =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a value that is a text in every input: of a command, or of a community file. */
export const ofText =
  <Value>(read: (text: string, report: Report, name: string) => Value | undefined): Field<Value>["read"] =>
  (value, report, name) =>
    typeof value === "string" ? read(value, report, name) : report("must be a string");

const MAX_ID = 2_147_483_647;

/** The id in a text; undefined for an impossible one. */
export const idIn = (text: string): number | undefined => readId(text) || undefined;

/** An id as a number or text of digits. Undefined for null, absent and empty values, NaN for impossible ids. */
export function readId(value: unknown): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const id = typeof value === "string" && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value;
  return typeof id === "number" && Number.isInteger(id) && id > 0 && id <= MAX_ID ? id : NaN;
}

export const tooLong = (max: number, unit = "characters") => `is too long (maximum is ${max} ${unit})`;

type ReadText<Value> = (text: string, report: Report) => Value | undefined;

/** A text that its schema bounds: `checkLength` reports one that is longer. `accept` reads what may be no text. */
export function boundedText<Value>(
  schema: TSchema,
  read: (text: string, report: Report, checkLength: (text: string) => void) => Value | undefined,
  accept: (read: ReadText<Value>) => Field<Value>["read"] = ofText,
): Field<Value> {
  const { maxLength = Infinity } = schema as { maxLength?: number };
  return {
    schema,
    read: accept((text, report) => read(text, report, (own) => checkLength(own, maxLength, report))),
  };
}

export function checkLength(text: string, max: number, report: Report): void {
  if (countCharacters(text) > max) report(tooLong(max));
}

/** Reads a moment; undefined when it is none, which is reported. */
export function readMoment(value: unknown, report: Report, name: string): Date | undefined {
  const moment = typeof value === "string" ? parseMoment(value) : undefined;
  return moment ?? report("must be a date-time such as 2026-03-02T09:15:00Z", name, name);
}

/** Reads tags: a list, or a text in which commas separate them. */
export function readTags(value: unknown, report: Report, { max, name }: TagRules): string[] | undefined {
  const isList = Array.isArray(value) && value.every((tag): tag is string => typeof tag === "string");
  if (typeof value !== "string" && !isList)
    return report('must be an array of strings, such as ["garden", "beginners"]', name, name);
  const names = parseTagList(value);
  for (const { of, fault } of faultsOfTags(names, max)) report(fault, of === "Tag" ? "tag" : "tag_list");
  return names;
}

interface TagRules {
  max: number;
  /** The name of the list in refusals of what is no list. */
  name: string;
}

export const choice = (options: Readonly<Record<string, string>>): Field<string> => ({
  schema: Type.Enum(Object.keys(options)),
  read: (value, report) =>
    typeof value === "string" && Object.hasOwn(options, value)
      ? value
      : report("must be one of those offered"),
});
