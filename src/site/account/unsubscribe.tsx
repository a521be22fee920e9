import { Type } from "typebox";
import * as choices from "../../mail/choices.ts";
import { KINDS } from "../../mail/kinds.ts";
import { UNSUBSCRIBE } from "../../paths.ts";
import { Form } from "../../web/forms.tsx";
import type { Forms, FormVisit, OwnPage } from "../forms.tsx";
import { linkPage } from "./narrow-page.tsx";

const Params = Type.Object({ token: Type.String({ maxLength: 200 }) });

/**
 * Turns off a kind of mail by a link in one. Programs of mail send the POST by themselves, from anywhere (RFC 8058):
 * the token alone counts, no session. GET changes nothing, because scanners of mails follow links.
 */
export function unsubscribeRoutes(forms: Forms): void {
  forms.open(`${UNSUBSCRIBE}/:token`, {
    fields: {},
    params: Params,
    show: async (visit) => page(visit, "asked"),
    submit: async (visit, { values }) => page(visit, values["undo"] === "1" ? "on" : "off"),
  });
}

type Visit = FormVisit<object, { token: string }>;

async function page(
  { params: { token }, services: { db, now } }: Visit,
  state: "asked" | "off" | "on",
): Promise<OwnPage> {
  const choice = await choices.findLink(db.main, token, now());
  if (choice === undefined) return unknownPage();
  if (state !== "asked") await choices.turn(db.main, choice, state === "on");
  const { label } = KINDS[choice.kind];
  const sentence = {
    asked: `You get a mail when ${label}.`,
    off: `You get no mail any more when ${label}.`,
    on: `You get a mail again when ${label}.`,
  }[state];
  return linkPage({
    title: TITLE,
    body: (
      <>
        <p role={state === "asked" ? undefined : "status"}>{sentence}</p>
        <Form
          action={`${UNSUBSCRIBE}/${token}`}
          typed={{ values: {}, faults: [] }}
          fields={{}}
          hidden={{ undo: state === "off" ? "1" : undefined }}
          submit={state === "off" ? "Turn them on again" : "Turn these mails off"}
        />
      </>
    ),
  });
}

const TITLE = "Mails from this site";

function unknownPage(): OwnPage {
  return linkPage({
    title: "This link doesn’t work",
    status: 404,
    body: (
      <>
        <p class="lead">It is a year old, or incomplete. Members choose their mails in their settings.</p>
        <p class="spaced">
          <a class="button" href="/settings/notifications">
            Choose your mails
          </a>
        </p>
      </>
    ),
  });
}
