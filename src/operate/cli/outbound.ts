import * as outbound from "../../platform/jobs/outbound.ts";
import { command, group } from "./command.ts";

export const addOutbound = group("outbound", "let go what a restored site holds back", [
  command({
    name: "resume",
    text: "let webhook deliveries, emails and fetches leave the site, which a restore has held",
    json: 'print {"resumed"}',
    examples: "inkstone outbound resume",
    note: "Run it when the site takes the place of the one that was saved. A copy for trials stays as it is.",
    run: async (db) => ({ resumed: await outbound.resume(db) }),
    print: ({ resumed }) =>
      resumed
        ? "Deliveries, emails and fetches leave the site again."
        : "Nothing was held: deliveries, emails and fetches leave the site.",
  }),
]);
