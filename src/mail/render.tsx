import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";

/** An email before it is written: its subject, text and HTML come of it. */
export interface Letter {
  subject: string;
  body: readonly (string | Link)[];
  /** Why it came. */
  why: string;
}

export interface Link {
  path: string;
  words: string;
}

interface Place {
  community: string;
  baseUrl: string;
  /** The path that turns off emails of its kind. */
  leave?: string | undefined;
}

export interface Rendered {
  subject: string;
  text: string;
  html: string;
}

const SUBJECT_CHARACTERS = 120;
/** A moderator's reason is whole. */
const PARAGRAPH_CHARACTERS = 1_050;

/** One line of limited length, without signs that turn the direction of what follows. */
export function line(text: string, characters = PARAGRAPH_CHARACTERS): string {
  const clean = text
    .toWellFormed()
    .replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  const all = Array.from(clean);
  return all.length <= characters ? clean : `${all.slice(0, characters - 1).join("")}…`;
}

/** Writes a letter. No name in it can add a line, an element or a link to another site. */
export function render(letter: Letter, { community, baseUrl, leave }: Place): Rendered {
  const subject = line(letter.subject, SUBJECT_CHARACTERS);
  const body = letter.body.map((part) => (typeof part === "string" ? line(part) : { ...part }));
  const place = line(community);
  const last: (string | Link)[] = [
    line(letter.why),
    ...(leave === undefined ? [] : [{ path: leave, words: "Send me no more emails of this kind" }]),
  ];
  const address = (path: string) => new URL(path, baseUrl).href;
  const toText = (part: string | Link) =>
    typeof part === "string" ? part : `${part.words}:\n${address(part.path)}`;
  const text = [...body, "-- ", ...last, `${place}\n${baseUrl}`].map(toText).join("\n\n");
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{subject}</title>
      </head>
      <body style="margin:0;padding:24px 16px;background:#fff;color:#1c1a19;font:16px/1.5 sans-serif">
        <div style="max-width:560px;margin:0 auto">
          {body.map((part) =>
            typeof part === "string" ? <P>{part}</P> : <Button {...part} to={address(part.path)} />,
          )}
          <hr style="margin:32px 0 16px;border:0;border-top:1px solid #ddd8d4" />
          {last.map((part) => (
            <P small>{typeof part === "string" ? part : <a href={address(part.path)}>{part.words}</a>}</P>
          ))}
          <P small>
            <a href={baseUrl}>{place}</a>
          </P>
        </div>
      </body>
    </html>,
  );
  return { subject, text: text.replace("-- \n\n", "-- \n"), html: `<!doctype html>${html}` };
}

function P({ small = false, children }: { small?: boolean; children: ComponentChildren }) {
  const style = small ? "margin:0 0 8px;font-size:14px;color:#5c5652" : "margin:0 0 16px";
  return (
    <p dir="auto" style={style}>
      {children}
    </p>
  );
}

function Button({ to, words }: { to: string; words: string }) {
  return (
    <p style="margin:0 0 16px">
      <a
        href={to}
        style="display:inline-block;padding:10px 16px;border-radius:6px;background:#1c1a19;color:#fff;text-decoration:none"
      >
        {words}
      </a>
    </p>
  );
}
