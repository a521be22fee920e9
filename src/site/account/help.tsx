import type { Program } from "../../http/operation.ts";
import { RESET } from "../../platform/paths.ts";
import type { Site } from "../kit/layout.tsx";

/** The facts by which a page says how a person gets a link that signs them in. */
export interface HelpProps {
  hasMail: boolean;
  contact: string;
}

export const helpOn = (
  { settings }: Pick<Site, "settings">,
  { config }: Pick<Program, "config">,
): HelpProps => ({ hasMail: config.mail !== undefined, contact: settings.contact_email });

/** Leads people who have no password, or have forgotten it, to a link that signs them in. */
export function HelpWithSigningIn({ hasMail, contact }: HelpProps) {
  return (
    <p class="spaced muted">
      {hasMail ? (
        <>
          Forgotten your password? <a href={RESET}>Get a link by email</a>
        </>
      ) : (
        <>
          No password, or forgotten? <WhomToAsk contact={contact} /> for a link that signs you in.
        </>
      )}
    </p>
  );
}

/** Begins a sentence. */
export function WhomToAsk({ contact }: Pick<HelpProps, "contact">) {
  return contact === "" ? <>Ask an admin</> : <>Write to {contact}</>;
}
