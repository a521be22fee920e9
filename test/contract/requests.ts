import { randomUUID } from "node:crypto";
import { CREATE_FIELDS } from "../../src/listings/fields.ts";
import type { Call } from "../world.ts";
import { ORGANIZATION } from "./cast.ts";
import type { Operation } from "./description.ts";

/**
 * Attributes in the bodies of writes. Tests send each of them with any value. Names of columns that are not
 * among them must change nothing.
 */
interface Wrapped {
  attributes: readonly string[];
  /** The attributes that a new one needs. */
  needed(): object;
}

/** What bodies wrap, by the name of the wrapper. */
export const WRAPPED: Record<string, Wrapped> = {
  article: {
    attributes: [
      "title",
      "body_markdown",
      "published",
      "tags",
      "main_image",
      "canonical_url",
      "description",
      "series",
      "collection_id",
      "organization_id",
      "published_at",
      "video_source_url",
    ],
    needed: () => ({ title: randomUUID(), body_markdown: "x" }),
  },
  listing: {
    attributes: Object.keys(CREATE_FIELDS),
    needed: () => ({ title: "x", body_markdown: "x", category: "misc" }),
  },
  webhook_endpoint: {
    attributes: ["source", "target_url", "events"],
    needed: () => ({
      source: "x",
      target_url: `https://hooks.example/${randomUUID()}`,
      events: ["follow_created"],
    }),
  },
};

export interface Subject {
  id: number;
  slug: string;
  /** Of a comment on it. */
  code?: string;
  /** To a webhook endpoint. */
  deliveryId?: number;
  author: { id: number; username: string };
}

const listing = (title: string) => ({ listing: { title, body_markdown: "Some words.", category: "misc" } });
const webhook_endpoint = () => ({
  source: "tests",
  target_url: `https://hooks.example/${randomUUID()}`,
  events: ["article_published"],
});
const article = (title: string) => ({ article: { title, body_markdown: "Some words." } });

/** A body that an operation takes, by its name; others take none. */
const BODIES: Record<string, () => Pick<Call, "body" | "headers">> = {
  createArticle: () => ({ body: article(`New ${randomUUID()}`) }),
  updateArticle: () => ({ body: article(`Changed ${randomUUID()}`) }),
  createListing: () => ({ body: listing(`New ${randomUUID()}`) }),
  updateListing: () => ({ body: listing(`Changed ${randomUUID()}`) }),
  createWebhook: () => ({ body: { webhook_endpoint: webhook_endpoint() } }),
  uploadImage: picture,
};

/** A request that is well-formed in everything, about this subject. */
export function requestFor(operation: Operation, subject: Subject): Call {
  const { method, path, parameters } = operation;
  const isOfUser = path.startsWith("/api/users/");
  const values: Record<string, string> = {
    id: String(isOfUser ? subject.author.id : subject.id),
    username: ORGANIZATION,
    slug: subject.slug,
    category: "misc",
    delivery_id: String(subject.deliveryId ?? 0),
    a_id: String(subject.id),
    start: "2026-03-01",
    id_code: subject.code ?? "",
    url: isOfUser ? subject.author.username : `/${ORGANIZATION}/${subject.slug}`,
  };
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? "");
  const query = parameters
    .filter((one) => one.in === "query" && (one.required || one.name === "a_id"))
    .map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? "")}`);
  const url = query.length > 0 ? `${filled}?${query.join("&")}` : filled;
  return { method, url, ...BODIES[operation.operationId ?? ""]?.() };
}

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A picture of one pixel, as a form sends it. */
function picture(): Pick<Call, "body" | "headers"> {
  const boundary = "-----picture";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head),
    Buffer.from(PIXEL, "base64"),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}
