import { Type } from "typebox";
import {
  attributesIn,
  boundedText,
  type Field,
  type Input,
  type Report,
  requestSchema,
  tooLong,
} from "../../platform/fields/fields.ts";
import { url } from "../../http/schema.ts";
import { checkDestination, type Policy } from "../../platform/net/destination.ts";
import { FetchFailure } from "../../platform/net/failure.ts";
import { quote } from "../../platform/text/quote.ts";
import { isHttpUrl } from "../../platform/text/urls.ts";
import { EVENT_NAMES, type EventName } from "./schema.ts";

const MAX_TARGET_URL_BYTES = 2_000;

const ofText =
  (read: (text: string, report: Report) => string | undefined): Field<string>["read"] =>
  (value, report) => {
    const text = value ?? "";
    if (typeof text !== "string") return report("must be a string");
    return text.trim() === "" ? report("can't be blank") : read(text.trim(), report);
  };

export const FIELDS = {
  source: boundedText(
    Type.String({ maxLength: 100, description: "A name for the endpoint." }),
    (source, report, checkLength) => {
      checkLength(source);
      if (/\p{Cc}/u.test(source)) report("contains a control character: leave it out");
      return source;
    },
    ofText,
  ),
  target_url: {
    schema: url("An https URL that none of the caller's other endpoints has."),
    read: ofText((text, report) => {
      const address = normalUrl(text);
      if (Buffer.byteLength(address) > MAX_TARGET_URL_BYTES) {
        return report(tooLong(MAX_TARGET_URL_BYTES, "bytes"));
      }
      if (isHttpUrl(address)) return address;
      return report(
        "must be a full https address without spaces and user name, such as https://example.com/hooks",
      );
    }),
  },
  events: {
    schema: Type.Array(Type.String(), {
      minItems: 1,
      description: `The events to send: ${EVENT_NAMES.join(", ")}. \`ArticleCreated\` is read as \`article_created\`.`,
    }),
    read(value, report) {
      if (value === null || (Array.isArray(value) && value.length === 0)) {
        return report(`can't be blank: give some of ${EVENT_NAMES.join(", ")}`);
      }
      if (!Array.isArray(value) || !value.every((name): name is string => typeof name === "string")) {
        return report('must be an array of strings, such as ["article_published"]');
      }
      const unknown = value.find((name) => eventNamed(name) === undefined);
      if (unknown !== undefined) {
        report(`can't include ${quote(unknown)}: known are ${EVENT_NAMES.join(", ")}`);
      }
      return [...new Set(value.flatMap((name) => eventNamed(name) ?? []))];
    },
  } satisfies Field<EventName[]>,
};

const NAMES = ["webhook_endpoint"] as const;

export const NewWebhook = requestSchema(FIELDS, NAMES, {
  title: "NewWebhook",
  description: "A webhook endpoint to create.",
  attributes: "The attributes of the endpoint.",
  required: ["source", "target_url", "events"],
  example: {
    source: "newsletter",
    target_url: "https://hooks.example/newsletter",
    events: ["article_published"],
  },
});

/** The attributes of an endpoint to which this site may send. */
export function fieldsFor(policy: Policy) {
  const target_url: Field<string> = {
    ...FIELDS.target_url,
    read(value, report, name) {
      const address = FIELDS.target_url.read(value, report, name);
      if (address === undefined) return undefined;
      if (!policy.allowPrivateNetwork && !/^https:/i.test(address)) return report("must start with https://");
      try {
        checkDestination(address, policy, { httpsOnly: true });
        return address;
      } catch (error) {
        if (!(error instanceof FetchFailure)) throw error;
        return report(
          error.kind === "address" ? PRIVATE : `can't be used: ${error.message.replace(/\.$/, "")}`,
        );
      }
    },
  };
  return { ...FIELDS, target_url };
}

const PRIVATE = "leads into a private network: it must be an address of the public internet";

/** The one spelling of an address, without the fragment, which is never sent; other texts as they are. */
export function normalUrl(text: string): string {
  if (!isHttpUrl(text)) return text;
  const address = new URL(text);
  address.hash = "";
  return address.href;
}

/** The event with this name, which may also be written as `ArticleCreated`. */
function eventNamed(text: string): EventName | undefined {
  const isCamelCase = /^([A-Z][a-z]+)+$/.test(text);
  const name = isCamelCase ? text.replaceAll(/(?<=.)(?=[A-Z])/g, "_").toLowerCase() : text;
  return EVENT_NAMES.find((known) => known === name);
}

export const unwrap = (body: unknown): Input => attributesIn(body, NAMES);
