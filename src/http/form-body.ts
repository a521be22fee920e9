import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import { AppError, invalid } from "../errors.ts";
import type { App } from "./app-type.ts";
import { noteBody } from "./idempotency.ts";

/** The files of a form by the names of their fields. What the sender calls the files is nobody's business. */
export type FormFiles = Map<string, Buffer[]>;

/** Room for fields beside the file, and for what stands around it. */
const SURROUNDINGS_BYTES = 64 * 1024;
const MAX_PARTS = 50;
const MAX_HEADER_LINES = 20;

/**
 * Makes a part of the server read forms with files, and nothing else. They are read into memory, so
 * nothing is left behind by who breaks off.
 */
export function readForms(app: App, maxFileBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "multipart/form-data",
    { parseAs: "buffer", bodyLimit: formBytes(maxFileBytes) },
    async (request: FastifyRequest, bytes: Buffer) => {
      const files = await parseForm(request.headers["content-type"] ?? "", bytes, maxFileBytes);
      // The same files make the same request, though the text between them differs every time.
      noteBody(request, ...[...files.values()].flat());
      return files;
    },
  );
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length > 0) throw new AppError("unsupported", "unsupported media type");
  });
}

/** The largest body of a form with a file of this size. */
export function formBytes(maxFileBytes: number): number {
  return maxFileBytes + SURROUNDINGS_BYTES;
}

/** @throws AppError malformed, too_large, or invalid when it has too many fields */
export async function parseForm(type: string, bytes: Buffer, maxFileBytes: number): Promise<FormFiles> {
  const files = new Map<string, Buffer[][]>();
  let isTruncated = false;
  await new Promise<void>((resolve, reject) => {
    const fail = (cause?: unknown) => reject(malformed(cause));
    const parser = createParser(type, maxFileBytes);
    parser.on("file", (name: string, stream: BusboyFileStream) => {
      const chunks: Buffer[] = [];
      files.set(name, [...(files.get(name) ?? []), chunks]);
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("limit", () => (isTruncated = true));
      stream.on("error", fail);
    });
    parser.on("partsLimit", () => reject(invalid(`A form has at most ${MAX_PARTS} fields: send fewer`)));
    parser.on("error", fail);
    parser.on("finish", resolve);
    parser.end(bytes);
  });
  if (isTruncated) throw new AppError("too_large", "payload too large");
  return new Map([...files].map(([name, contents]) => [name, contents.map((each) => Buffer.concat(each))]));
}

function createParser(type: string, maxFileBytes: number) {
  try {
    return new Busboy({
      headers: { "content-type": type },
      limits: { fileSize: maxFileBytes, parts: MAX_PARTS, headerPairs: MAX_HEADER_LINES, fieldSize: 1_024 },
    });
  } catch (error) {
    throw malformed(error);
  }
}

const malformed = (cause: unknown) => new AppError("malformed", "bad request", { cause });
