import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { AppError, FieldsError, invalid } from "../errors.ts";
import { faultIn } from "../text/valid-text.ts";
import type { App } from "./app-type.ts";
import { type FormFiles, type FormPairs, parseForm } from "./form-body.ts";
import { noteBody } from "./json-body.ts";
import { announcedLength, readBody, tooLarge } from "./read-body.ts";

/** The fields and files of a form that a page has sent. */
export interface PageForm {
  /** Each name came once. Lines end with LF. */
  values: Record<string, string>;
  files: FormFiles;
  /** Why it can't be taken, whatever its fields mean. */
  fault: FieldsError | undefined;
}

export const NO_FORM: PageForm = { values: {}, files: new Map(), fault: undefined };

const MAX_BYTES = 3 * 1024 * 1024;
const MAX_FIELDS = 1_000;

/** What makes a form that is sent twice have one effect. */
const FORM_TOKEN = "form_token";

/** Reads forms of pages, with files of at most `maxFileBytes`, and nothing else. */
export function readPageForms(app: App, maxFileBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    async (request: FastifyRequest, stream: Readable) => {
      const pairs = pairsOf(await read(request, stream, MAX_BYTES));
      return noteForm(request, { pairs, files: new Map() });
    },
  );
  app.addContentTypeParser("multipart/form-data", async (request: FastifyRequest, stream: Readable) => {
    const bytes = await read(request, stream, MAX_BYTES + maxFileBytes);
    const limits = { maxFileBytes, maxFieldBytes: MAX_BYTES };
    return noteForm(request, await parseForm(request.headers["content-type"] ?? "", bytes, limits));
  });
  app.addContentTypeParser("*", async (request: FastifyRequest, stream: Readable) => {
    await read(request, stream, MAX_BYTES, () => {
      throw new AppError("unsupported", "This page takes only its own form.");
    });
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

/** @throws AppError invalid for what no browser sends: bytes that are no UTF-8, or very many fields */
function pairsOf(bytes: Buffer): FormPairs {
  const text = bytes.toString("latin1");
  try {
    decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw invalid("The form isn't in UTF-8.");
  }
  return [...new URLSearchParams(text)];
}

function noteForm(request: FastifyRequest, sent: { pairs: FormPairs; files: FormFiles }): PageForm {
  const form = toForm(sent);
  const { [FORM_TOKEN]: token, ...values } = form.values;
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

function toForm({ pairs, files }: { pairs: FormPairs; files: FormFiles }): PageForm {
  if (pairs.length > MAX_FIELDS) throw invalid(`A form has at most ${MAX_FIELDS} fields: send fewer`);
  const values = new Map<string, string>();
  const faults = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const fault = faultIn(name + value);
    const words = values.has(name)
      ? "was sent twice: send it once"
      : fault && `contains ${fault}: leave it out`;
    if (words !== undefined) faults.set(name, [words]);
    values.set(name, words === undefined ? value.replace(/\r\n?/g, "\n") : "");
  }
  const isFaulty = faults.size > 0;
  return {
    values: Object.fromEntries(values),
    files,
    fault: isFaulty ? new FieldsError(Object.fromEntries(faults), "The form can't be read.") : undefined,
  };
}
