import { createHash } from "node:crypto";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import { AppError, FieldsError, invalid } from "../platform/errors.ts";
import { faultIn } from "../platform/text/valid-text.ts";
import type { App } from "./app-type.ts";
import { sessionOf } from "./auth.ts";
import { isTooLarge, sendError, tooLarge } from "./errors.ts";
import { noteBody } from "./json-body.ts";

/** The files of each field. Their names are ignored. */
export type FormFiles = Map<string, Buffer[]>;

const FORM_ONLY = "The body must be a form with a file, with Content-Type: multipart/form-data.";
const SURROUNDINGS_BYTES = 64 * 1024;
const MAX_PARTS = 50;
const MAX_HEADER_LINES = 20;

/** Takes forms with files, and nothing else. Files stay in memory, so aborted requests leave nothing behind. */
export function readForms(app: App, maxFileBytes: number): void {
  const asBuffer = { parseAs: "buffer" } as const;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "multipart/form-data",
    asBuffer,
    async (request: FastifyRequest, bytes: Buffer) => {
      const type = request.headers["content-type"] ?? "";
      const { files, fault } = await parseForm(type, bytes, { maxFileBytes });
      if (fault) throw fault;
      // Boundaries differ in every request.
      noteBody(request, ...[...files.values()].flat());
      return files;
    },
  );
  app.addContentTypeParser("*", asBuffer, async (_request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length > 0) throw new AppError("unsupported", FORM_ONLY);
  });
  app.setErrorHandler((error, request, reply) =>
    sendError(isTooLarge(error) ? tooLarge(maxFileBytes, "file") : error, request, reply),
  );
}

export function formBytes(maxFileBytes: number): number {
  return maxFileBytes + SURROUNDINGS_BYTES;
}

export type FormPairs = (readonly [name: string, value: string])[];

interface FormLimits {
  maxFileBytes: number;
  maxFieldBytes?: number;
  maxParts?: number;
}

export interface ParsedForm {
  files: FormFiles;
  pairs: FormPairs;
  /** Set if a file is too large; a part of it is left. */
  fault?: AppError;
}

export async function parseForm(
  type: string,
  bytes: Buffer,
  { maxFileBytes, maxFieldBytes = 1_024, maxParts = MAX_PARTS }: FormLimits,
): Promise<ParsedForm> {
  const files = new Map<string, Buffer[][]>();
  const pairs: FormPairs = [];
  let isTruncated = false;
  await new Promise<void>((resolve, reject) => {
    const limits = {
      fileSize: maxFileBytes,
      parts: maxParts,
      headerPairs: MAX_HEADER_LINES,
      fieldSize: maxFieldBytes,
    };
    const parser = new Busboy({ headers: { "content-type": type }, limits });
    parser.on("file", (name: string, stream: BusboyFileStream) => {
      const chunks: Buffer[] = [];
      files.set(name, [...(files.get(name) ?? []), chunks]);
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("limit", () => (isTruncated = true));
      stream.on("error", reject);
    });
    parser.on("field", (name: string, value: string) => pairs.push([name, value]));
    parser.on("partsLimit", () => reject(invalid(`A form has at most ${maxParts} fields: send fewer`)));
    parser.on("error", reject);
    parser.on("finish", resolve);
    parser.end(bytes);
  }).catch((error: unknown) => {
    throw error instanceof AppError ? error : malformed(error);
  });
  const whole = [...files].map(([name, parts]) => [name, parts.map((each) => Buffer.concat(each))] as const);
  const fault = isTruncated ? { fault: tooLarge(maxFileBytes, "file") } : {};
  return { files: new Map(whole), pairs, ...fault };
}

const malformed = (cause: unknown) => new AppError("malformed", "bad request", { cause });

/** The fields and files of a form that a page has sent. */
export interface PageForm {
  /** Each name came once. Lines end with LF. */
  values: Record<string, string>;
  files: FormFiles;
  fault: AppError | undefined;
}

export const NO_FORM: PageForm = { values: {}, files: new Map(), fault: undefined };

const MAX_BYTES = 3 * 1024 * 1024;
const MAX_FIELDS = 1_000;

const FORM_TOKEN = "form_token";

/** The most bytes of a form with files of at most `maxFileBytes`. */
export const pageFormBytes = (maxFileBytes: number) => MAX_BYTES + maxFileBytes;

/** Refuses a stranger's form that is larger, or doesn't say its length, as every browser does. */
export const limitStrangers = (maxFileBytes: number) => async (request: FastifyRequest) => {
  const most = pageFormBytes(maxFileBytes);
  const length = Number(request.headers["content-length"] ?? Infinity);
  if (sessionOf(request) === undefined && length > most) throw tooLarge(most);
};

type Read = (bytes: Buffer, type: string) => ParsedForm | Promise<ParsedForm>;

/** Reads forms of pages, with files of at most `maxFileBytes`. A refusal is a fault of the form, which the page shows. */
export function readPageForms(app: App, maxFileBytes: number): void {
  const add = (type: string, read: Read) =>
    app.addContentTypeParser(type, { parseAs: "buffer" }, async (request: FastifyRequest, bytes: Buffer) => {
      try {
        return noteForm(request, await read(bytes, request.headers["content-type"] ?? ""));
      } catch (error) {
        if (error instanceof AppError) return { ...NO_FORM, fault: error };
        throw error;
      }
    });
  const limits = { maxFileBytes, maxFieldBytes: MAX_BYTES, maxParts: MAX_FIELDS };
  app.removeAllContentTypeParsers();
  add("application/x-www-form-urlencoded", (bytes) => ({ pairs: pairsOf(bytes), files: new Map() }));
  add("multipart/form-data", (bytes, type) => parseForm(type, bytes, limits));
  add("*", (bytes) => {
    if (bytes.length > 0) throw new AppError("unsupported", "This page takes only its own form");
    return { pairs: [], files: new Map() };
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const tooManyFields = () => invalid(`A form has at most ${MAX_FIELDS} fields: send fewer`);

/** @throws AppError for what no browser sends: megabytes of text, bytes that are no UTF-8, or very many fields */
function pairsOf(bytes: Buffer): FormPairs {
  if (bytes.length > MAX_BYTES) throw tooLarge(MAX_BYTES);
  try {
    const text = utf8.decode(bytes);
    if (text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS) throw tooManyFields();
    decodeURIComponent(text.replaceAll("+", " "));
    return [...new URLSearchParams(text)];
  } catch (error) {
    throw error instanceof AppError ? error : invalid("The form isn't in UTF-8");
  }
}

function noteForm(request: FastifyRequest, sent: ParsedForm): PageForm {
  const form = toForm(sent);
  // A form that is sent again after a sign-in has the password with it: a digest would be a quick hash of it.
  const { [FORM_TOKEN]: token, password: _, ...values } = form.values;
  // Only the token of a form counts, which goes with its content.
  delete request.headers["idempotency-key"];
  if (token !== undefined && /^[\w-]{16,64}$/.test(token)) {
    const digest = createHash("sha256").update(JSON.stringify(values));
    for (const file of [...sent.files.values()].flat()) digest.update(file);
    const bytes = digest.digest();
    // The same token with other content is another act, for which a reader has changed the form.
    request.headers["idempotency-key"] = `form ${token} ${bytes.toString("base64url")}`;
    noteBody(request, bytes);
  }
  return form;
}

function toForm({ pairs, files, fault }: ParsedForm): PageForm {
  const values = new Map<string, string>();
  const faults = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const badText = faultIn(name + value);
    const words = values.has(name)
      ? "was sent twice: send it once"
      : badText && `contains ${badText}: leave it out`;
    if (words !== undefined) faults.set(name, [words]);
    values.set(name, words === undefined ? value.replace(/\r\n?/g, "\n") : "");
  }
  const isFaulty = faults.size > 0;
  return {
    values: Object.fromEntries(values),
    files,
    fault: isFaulty ? new FieldsError(Object.fromEntries(faults), "The form can't be read.") : fault,
  };
}
