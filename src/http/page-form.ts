import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { AppError, FieldsError, invalid } from "../errors.ts";
import { faultIn } from "../text/valid-text.ts";
import type { App } from "./app-type.ts";
import { type FormFiles, type FormPairs, type ParsedForm, parseForm } from "./form-body.ts";
import { noteBody } from "./json-body.ts";
import { announcedLength, readBody, tooLarge } from "./read-body.ts";

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

/** Reads forms of pages, with files of at most `maxFileBytes`. A refusal is a fault of the form, which the page shows. */
export function readPageForms(app: App, maxFileBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    (request: FastifyRequest, stream: Readable) => {
      const pairs = read(request, stream, MAX_BYTES).then(pairsOf);
      return formOf(
        request,
        pairs.then((all) => ({ pairs: all, files: new Map() })),
      );
    },
  );
  app.addContentTypeParser("multipart/form-data", (request: FastifyRequest, stream: Readable) => {
    const limits = { maxFileBytes, maxFieldBytes: MAX_BYTES, maxParts: MAX_FIELDS };
    const bytes = read(request, stream, MAX_BYTES + maxFileBytes);
    const type = request.headers["content-type"] ?? "";
    return formOf(
      request,
      bytes.then((all) => parseForm(type, all, limits)),
    );
  });
  app.addContentTypeParser("*", (request: FastifyRequest, stream: Readable) => {
    const refused = read(request, stream, MAX_BYTES, () => {
      throw new AppError("unsupported", "This page takes only its own form");
    });
    return formOf(
      request,
      refused.then(() => ({ pairs: [], files: new Map() })),
    );
  });
}

const read = (request: FastifyRequest, stream: Readable, limit: number, check = () => {}) =>
  readBody(stream, {
    length: announcedLength(request.headers),
    limit,
    refuse: () => tooLarge(limit),
    meter: request.bodyMeter,
    check,
  });

async function formOf(request: FastifyRequest, reading: Promise<ParsedForm>): Promise<PageForm> {
  try {
    return noteForm(request, await reading);
  } catch (error) {
    if (error instanceof AppError && error.code !== "unavailable") return { ...NO_FORM, fault: error };
    throw error;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const tooManyFields = () => invalid(`A form has at most ${MAX_FIELDS} fields: send fewer`);

/** @throws AppError invalid for what no browser sends: bytes that are no UTF-8, or very many fields */
function pairsOf(bytes: Buffer): FormPairs {
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
  const { [FORM_TOKEN]: token, ...values } = form.values;
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
