import { createHash, createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SignatureV4 } from "@smithy/signature-v4";
import type { Config } from "../src/platform/config.ts";

type Settings = NonNullable<Config["s3"]>;

interface StoredObject {
  bytes: Buffer;
  modifiedAt: Date;
}

/** Answers instead of the store; returns whether it did. */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** An S3 store on this computer that refuses wrong signatures, as those of the world do. */
export interface S3Store {
  settings: Settings;
  /** The variables that name it. */
  env: Record<string, string>;
  objects: Map<string, StoredObject>;
  /** The parts of uploads that are neither complete nor given up, by their ids. */
  uploads: Map<string, Buffer[]>;
  /** Method and key of each request, in order, those of faults included. */
  asked: string[];
  fault: Fault | undefined;
  /** The most names of a page. */
  pageSize: number;
  etagOf: (bytes: Buffer) => string;
  stop: () => Promise<void>;
}

export async function startS3Store(): Promise<S3Store> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: "pictures",
    region: "test-1",
    accessKeyId: "key-of-the-tests",
    secretAccessKey: randomBytes(20).toString("hex"),
  };
  const store: S3Store = {
    settings,
    env: {
      S3_ENDPOINT: settings.endpoint,
      S3_BUCKET: settings.bucket,
      S3_REGION: settings.region,
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
    objects: new Map(),
    uploads: new Map(),
    asked: [],
    fault: undefined,
    pageSize: 1_000,
    etagOf: (bytes) => `"${createHash("md5").update(bytes).digest("hex")}"`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  server.on("request", (request, response) => {
    answer(store, request, response).catch((error: unknown) => {
      // The client broke off.
      response.destroy(error as Error);
    });
  });
  return store;
}

async function answer(store: S3Store, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "", url = "" } = request;
  const { pathname, searchParams } = new URL(url, store.settings.endpoint);
  const [, bucket = "", ...rest] = decodeURIComponent(pathname).split("/");
  const key = rest.join("/");
  store.asked.push(`${method} ${key}`);
  if (await store.fault?.(request, response)) return;
  const body = await buffer(request);
  const refuse = (status: number, code: string) =>
    void response
      .writeHead(status, { "content-type": "application/xml" })
      .end(
        `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${store.settings.accessKeyId}</Message></Error>`,
      );
  if (!(await isSigned(store.settings, request))) return refuse(403, "SignatureDoesNotMatch");
  if (bucket !== store.settings.bucket) return refuse(404, "NoSuchBucket");
  if (searchParams.has("uploads") || searchParams.has("uploadId")) {
    if (!answerUpload(store, { method, key, query: searchParams, body }, response))
      refuse(404, "NoSuchUpload");
  } else if (method === "GET" && key === "") {
    response.writeHead(200, { "content-type": "application/xml" }).end(page(store, searchParams));
  } else if (method === "PUT") {
    // An object is there when its body is complete, and not in parts.
    store.objects.set(key, { bytes: body, modifiedAt: new Date() });
    response.writeHead(200, { etag: store.etagOf(body) }).end();
  } else if (method === "DELETE") {
    store.objects.delete(key);
    response.writeHead(204).end();
  } else {
    const found = store.objects.get(key);
    if (found === undefined) return refuse(404, "NoSuchKey");
    response.writeHead(200, { etag: store.etagOf(found.bytes), "content-length": found.bytes.length });
    response.end(found.bytes);
  }
}

interface PartRequest {
  method: string;
  key: string;
  query: URLSearchParams;
  body: Buffer;
}

/** An object in parts is there when it is complete. Returns whether the upload is known. */
function answerUpload(store: S3Store, { method, key, query, body }: PartRequest, response: ServerResponse) {
  const id = query.get("uploadId") ?? randomBytes(8).toString("hex");
  const parts = query.has("uploads") ? [] : store.uploads.get(id);
  if (parts === undefined) return false;
  const send = (name: string, content: string) =>
    response.writeHead(200, { "content-type": "application/xml" }).end(`<${name}>${content}</${name}>`);
  if (query.has("uploads")) {
    store.uploads.set(id, parts);
    send("InitiateMultipartUploadResult", `<UploadId>${id}</UploadId>`);
  } else if (method === "PUT") {
    parts[Number(query.get("partNumber")) - 1] = body;
    response.writeHead(200, { etag: store.etagOf(body) }).end();
  } else {
    store.uploads.delete(id);
    const bytes = Buffer.concat(parts);
    if (method === "POST") store.objects.set(key, { bytes, modifiedAt: new Date() });
    if (method === "DELETE") response.writeHead(204).end();
    else send("CompleteMultipartUploadResult", `<ETag>${store.etagOf(bytes)}</ETag>`);
  }
  return true;
}

/** A page of ListObjectsV2. */
function page(store: S3Store, query: URLSearchParams): string {
  const after = Buffer.from(query.get("continuation-token") ?? "", "base64").toString();
  const size = Math.min(store.pageSize, Number(query.get("max-keys") ?? 1_000));
  const names = [...store.objects.keys()]
    .filter((name) => name.startsWith(query.get("prefix") ?? "") && name > after)
    .toSorted((one, other) => (one < other ? -1 : 1));
  const contents = names.slice(0, size).map((name) => {
    const { bytes, modifiedAt } = store.objects.get(name) as StoredObject;
    const etag = store.etagOf(bytes).replaceAll('"', "&quot;");
    return `<Contents><Key>${name}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>${etag}</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const last = names[size - 1];
  const next =
    names.length > size && last !== undefined
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${Buffer.from(last).toString("base64")}</NextContinuationToken>`
      : "<IsTruncated>false</IsTruncated>";
  return `<?xml version="1.0"?><ListBucketResult>${next}${contents.join("")}</ListBucketResult>`;
}

/** SHA-256 as the signer wants it. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | Uint8Array | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined ? createHash("sha256") : createHmac("sha256", secret as string | Uint8Array);
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}

const PATTERN = /^AWS4-HMAC-SHA256 Credential=[^,]+, SignedHeaders=([^,]+), Signature=[0-9a-f]{64}$/;
const MAX_AGE_MS = 15 * 60_000;

/** Whether AWS's own signer gives this request the signature that it bears. */
async function isSigned(settings: Settings, request: IncomingMessage): Promise<boolean> {
  const { authorization = "", host = "" } = request.headers;
  const names = (PATTERN.exec(authorization)?.[1] ?? "").split(";");
  const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(String(request.headers["x-amz-date"])) ?? [];
  if (!["host", "x-amz-date", "x-amz-content-sha256"].every((name) => names.includes(name))) return false;
  const signingDate = new Date(
    `${day}T${time}Z`.replace(/^(.{4})(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
  if (!(Math.abs(Date.now() - signingDate.getTime()) < MAX_AGE_MS)) return false;
  const { region, accessKeyId, secretAccessKey } = settings;
  const credentials = { accessKeyId, secretAccessKey };
  const signer = new SignatureV4({
    service: "s3",
    region,
    credentials,
    sha256: Sha256,
    uriEscapePath: false,
  });
  const { pathname, searchParams } = new URL(request.url ?? "", `http://${host}`);
  const signed = await signer.sign(
    {
      method: request.method ?? "",
      protocol: "http:",
      hostname: host,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(names.map((name) => [name, String(request.headers[name])])),
    },
    { signingDate },
  );
  return signed.headers["authorization"] === authorization;
}

/**
 * A store that `TEST_S3_URL` names, such as Garage or Ceph: `http://key:secret@host:port/bucket?region=garage`.
 * Undefined without it.
 */
export function anotherStore(): Settings | undefined {
  const named = process.env["TEST_S3_URL"];
  if (!named) return undefined;
  const { origin, pathname, username, password, searchParams } = new URL(named);
  return {
    endpoint: origin,
    bucket: pathname.slice(1),
    region: searchParams.get("region") ?? "us-east-1",
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  };
}
