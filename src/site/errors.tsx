import type { ErrorPage } from "../http/errors.ts";
import * as settings from "../settings/settings.ts";
import type { Context, Services } from "../context.ts";
import { counted } from "../web/components.tsx";
import { toDocument } from "../web/html.tsx";
import { Document } from "../web/layout.tsx";
import { HTML_TYPE, policy } from "../web/page.tsx";

interface Words {
  title: string;
  text: string;
}

const WORDS: Record<number, Words> = {
  401: { title: "Members only", text: "This community is private. Its members read it with their keys." },
  403: { title: "Not for you", text: "You may not see this page." },
  404: {
    title: "Page not found",
    text: "Nothing is published at this address. It may have been moved or taken back, or the address has a typing error.",
  },
  410: { title: "This article is gone", text: "Its author or a moderator has deleted it." },
  413: { title: "Too large", text: "What you sent is larger than this site accepts." },
  422: { title: "This address doesn't work", text: "Something in the address isn't as this page needs it." },
  429: { title: "Too many requests", text: "You asked for very many pages in a short time." },
  500: {
    title: "Something went wrong",
    text: "The fault is on our side, and it is noted. Please try again later.",
  },
  503: {
    title: "Not available right now",
    text: "The site can't answer for the moment.",
  },
};
const OTHER: Words = {
  title: "This can't be answered",
  text: "The request isn't one that this site understands.",
};

/** In plain words. Pages from 500 on need no database. */
export function errorPages({ config, now }: Context, { cache }: Services): ErrorPage {
  return (status, { sentence, requestId, retryAfterSeconds }) => {
    const site = {
      baseUrl: config.baseUrl,
      settings: settings.ifCached(cache) ?? settings.defaults(),
      now: now(),
    };
    const { title, text } = WORDS[status] ?? OTHER;
    const isBroken = status >= 500;
    const body = (
      <div class="narrow">
        <p class="muted">{status}</p>
        <h1 class="page-title">{title}</h1>
        <p class="lead">{text}</p>
        {status === 422 && sentence !== undefined && <p>{sentence}</p>}
        {retryAfterSeconds > 0 && <p>Please try again in {counted(retryAfterSeconds, "second")}.</p>}
        <p class="spaced">
          <a class="button" href="/">
            To the front page
          </a>
        </p>
        <p class="spaced muted small">
          Request <code>{requestId}</code>
        </p>
      </div>
    );
    return {
      type: HTML_TYPE,
      policy: policy(site),
      body: toDocument(<Document site={site} title={title} isHidden isBroken={isBroken} body={body} />),
    };
  };
}
