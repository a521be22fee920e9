import * as choices from "../../mail/choices.ts";
import { KINDS } from "../../mail/kinds.ts";
import { UNSUBSCRIBE } from "../../paths.ts";
import { Form } from "../../web/forms.tsx";
import type { Forms, OwnPage } from "../forms.tsx";
import { deadLinkPage, LinkButton, linkPage, TokenParams, type TokenVisit } from "./narrow-page.tsx";

/**
 * Turns off a kind of mail by a link in one. Programs of mail send the POST by themselves, from anywhere (RFC 8058):
 * the token alone counts, no session. GET changes nothing, because scanners of mails follow links.
 */
export function unsubscribeRoutes(forms: Forms): void {
  forms.open(`${UNSUBSCRIBE}/:token`, {
    fields: {},
    params: TokenParams,
    show: async (visit) => page(visit, "asked"),
    submit: async (visit, { values }) => page(visit, values["undo"] === "1" ? "on" : "off"),
  });
}

async function page(
  { params: { token }, services: { db, now } }: TokenVisit,
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
    title: "Mails from this site",
    body: (
      <>
        <p role={state === "asked" ? undefined : "status"}>{sentence}</p>
        <Form
          action={`${UNSUBSCRIBE}/${token}`}
          hidden={{ undo: state === "off" ? "1" : undefined }}
          submit={state === "off" ? "Turn them on again" : "Turn these mails off"}
        />
      </>
    ),
  });
}

const unknownPage = (): OwnPage =>
  deadLinkPage(
    <>
      <p class="lead">
        It is incomplete, a year old, or from before an update of this site. To get no more of these emails,
        sign in and turn them off in your settings.
      </p>
      <LinkButton to="/settings/notifications">Choose your emails</LinkButton>
    </>,
  );
