import type { FastifyRequest } from "fastify";
import { currentPath, retiredPath } from "../community/articles/retired-paths.ts";
import { sessionOf } from "../http/auth.ts";
import type { ErrorPage, FormerPage } from "../http/errors.ts";
import type { Program } from "../http/operation.ts";
import * as settings from "../platform/settings/settings.ts";
import * as sessions from "../community/users/sessions.ts";
import { helpOn } from "./account/parts.tsx";
import { counted } from "./kit/components.tsx";
import { sentAlong, SignIn } from "./account/signing-in.tsx";
import { BEING_SET_UP, HTML_TYPE, policy, siteOf, toHtml, viewerOf } from "./kit.tsx";

interface Words {
  title: string;
  text: string;
}

const WORDS: Record<number, Words> = {
  401: { title: "Sign in", text: "This is for members: sign in to go on." },
  403: {
    title: "This form came from another site",
    text: "Nothing has changed. Open the page of this site and send the form there.",
  },
  404: {
    title: "Page not found",
    text: "There is no page at this address. The page may have been moved, unpublished or deleted, or the address may be misspelled.",
  },
  410: { title: "This article is gone", text: "Its author or a moderator has deleted it." },
  413: { title: "Request too large", text: "The request is larger than this site accepts." },
  422: { title: "Invalid address", text: "This page does not accept one of the parameters in its address." },
  429: {
    title: "Too many requests",
    text: "Your browser or network sent too many requests in a short time.",
  },
  500: {
    title: "Something went wrong",
    text: "The server could not complete the request and logged the error. Please try again later.",
  },
  503: {
    title: "Temporarily unavailable",
    text: "The site can't serve this page at the moment.",
  },
};
const SETTING_UP: Words = {
  title: BEING_SET_UP,
  text: "Nobody has an account here yet. Its operator finds the link for the first one in the server’s log.",
};
const OTHER: Words = {
  title: "Bad request",
  text: "This site can't process the request.",
};

interface RefusalProps {
  status: number;
  words: Words;
  sentence: string | undefined;
  /** Seconds to wait; 0 for none. */
  after: number;
  id: string;
}

function Refusal({ status, words: { title, text }, sentence, after, id }: RefusalProps) {
  return (
    <div class="narrow">
      <p class="muted">{status}</p>
      <h1 class="page-title">{title}</h1>
      <p class="lead">{text}</p>
      {status === 422 && sentence !== undefined && <p>{sentence}</p>}
      {after > 0 && <p>Please try again in {counted(after, "second")}.</p>}
      <p class="spaced">
        <a class="button" href="/">
          To the front page
        </a>
      </p>
      <p class="spaced muted small">
        Request <code>{id}</code>
      </p>
    </div>
  );
}

/** Writes errors in plain words, under the header of a member. Pages of a status from 500 on need no database. */
export function errorPages(program: Pick<Program, "baseUrl" | "now" | "cache" | "config" | "db">): ErrorPage {
  const { baseUrl, now, cache, config, db } = program;
  const memberOf = async (request: FastifyRequest) => {
    const token = request.server.sessionCookie.tokenIn(request.headers);
    if (token === undefined) return undefined;
    return viewerOf(sessionOf(request) ?? (await sessions.authenticate(db.main, token, now())), db);
  };
  return async (status, { sentence, retryAfterSeconds, path, request, fields }) => {
    const viewer = status < 500 ? await memberOf(request).catch(() => null) : null;
    const known = settings.lastKnown(cache);
    const shown = { settings: viewer ? known : settings.forAnonymous(known), viewer };
    const site =
      status < 500 ? await siteOf(program, shown) : { baseUrl, ...shown, now: now(), sections: [] };
    const known4xx = request.method === "POST" && status === 422 ? undefined : WORDS[status];
    const { title, text } = sentence === BEING_SET_UP ? SETTING_UP : (known4xx ?? OTHER);
    const body =
      status === 401 ? (
        <SignIn
          typed={{ values: {}, faults: [] }}
          fields={fields ? { ...sentAlong(fields), action: path } : { next: path }}
          help={helpOn(site, { config })}
        />
      ) : (
        <Refusal
          status={status}
          words={{ title, text }}
          sentence={sentence}
          after={retryAfterSeconds}
          id={request.id}
        />
      );
    return {
      headers: {
        "content-type": HTML_TYPE,
        "content-security-policy": policy(site),
        ...(viewer && { "cache-control": "private, no-store" }),
      },
      body: toHtml(site, {
        title,
        isHidden: true,
        hasNoSearch: status >= 500,
        hasForm: status === 401,
        body,
      }),
    };
  };
}

/** Finds the page of an article by a former path, also one of another site. A private community has none. */
export function formerPages({ cache, db }: Pick<Program, "cache" | "db">): FormerPage {
  return async (path) => {
    const retired = retiredPath(path);
    if (retired === undefined) return undefined;
    try {
      const { visibility } = await settings.cached(cache, db);
      return visibility === "private" ? undefined : await currentPath(db.replica, retired);
    } catch {
      // The page is missing while the database is.
      return undefined;
    }
  };
}
