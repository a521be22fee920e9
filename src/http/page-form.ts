import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { AppError, FieldsError, invalid } from "../platform/errors.ts";
import { faultIn } from "../platform/text/valid-text.ts";
import type { App } from "./app-type.ts";
import { type FormFiles, type FormPairs, type ParsedForm, parseForm } from "./form-body.ts";
import { tooLarge } from "./errors.ts";
import { noteBody } from "./json-body.ts";

/** The fields and files of a form that a page has sent. */
export interface PageForm {
  /** Each name came once. Lines end with LF. */
  values: Record<string, string>;
  files: FormFiles;
  /** Why it can't be taken, whatever its fields mean. */
  fault: AppError | undefined;
}

export const NO_FORM: PageForm = { values: {}, files: new Map(), fault: undefined };

const MAX_BYTES = 3 * 1024 * 1024;
const MAX_FIELDS = 1_000;

/** What makes a form that is sent twice have one effect. */
const FORM_TOKEN = "form_token";

/** The most bytes of a form with files of at most `maxFileBytes`. */
export const pageFormBytes = (maxFileBytes: number) => MAX_BYTES + maxFileBytes;

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
