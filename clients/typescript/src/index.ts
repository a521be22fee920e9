import openapi, { type Client as OpenapiClient, type ClientOptions } from "openapi-fetch";
import type { components, paths } from "./api.js";

export type { components, operations, paths } from "./api.js";

/** Has a method for each HTTP verb, whose paths, parameters, bodies and responses are those of the API. */
export type Client = OpenapiClient<paths>;

/** The types of bodies by their names, such as `Schemas["Article"]` and `Schemas["ApiError"]`. */
export type Schemas = components["schemas"];

export interface Options extends Pick<ClientOptions, "fetch"> {
  /** The address of the community, such as `https://community.example`. */
  baseUrl: string;
  /** Without a key, the client reads what is public. */
  apiKey?: string;
}

export function createClient({ apiKey, ...options }: Options): Client {
  const headers = apiKey === undefined ? {} : { "api-key": apiKey };
  return openapi<paths>({ ...options, headers, bodySerializer });
}

/** A body with a file is sent as a form, any other as JSON. */
function bodySerializer(body: unknown): string | FormData {
  const entries = Object.entries(body as object);
  if (!entries.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}
