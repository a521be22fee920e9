import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import { AppError, invalid } from "../platform/errors.ts";
import type { App } from "./app-type.ts";
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

/** The fields of a form in the order in which they came. */
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
