import type { Actor } from "../../http/actor.ts";
import type { Db } from "../../platform/db/connect.ts";
import { lockPermissions } from "../../platform/db/locks.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { formatMoment } from "../../platform/text/dates.ts";
import * as log from "../log/log.ts";
import { notifyOfSecurity } from "../notifications/notifications.ts";
import * as links from "../users/one-time-links.ts";
import { lockUser } from "../users/moderation.ts";
import * as factors from "../users/second-factor.ts";
import * as sessions from "../users/sessions.ts";
import { howSuspended } from "../users/suspension.ts";
import { namesOf } from "../users/users.ts";

/** An act of staff on an account, with an entry in the log unless `change` returns false. */
function onAccount<Result>(act: log.Act, change: (tx: Db, id: number, now: Date) => Promise<Result>) {
  return (actor: Actor<Result>, userId: number): Promise<Result> =>
    actor.run(async (tx) => {
      await lockPermissions(tx, userId);
      if ((await namesOf(tx, userId)).length === 0) throw notFound();
      const result = await change(tx, userId, actor.now());
      if (result !== false) await log.record(tx, actor, { act, on: { kind: "user", id: userId } });
      return result;
    });
}

/** The path of a link that signs the person in, who is notified, so that no one enters an account unseen. */
export const makeSignInLink = onAccount("make_sign_in_link", async (tx, userId, now) => {
  const account = await lockUser(tx, userId);
  if (account?.suspended) throw invalid(`The account is suspended${howSuspended(account)}`);
  const text = `The operator or an admin of the site made a link that signs in as you, once, within ${links.LINK_MINUTES} minutes, ${formatMoment(now)}.`;
  await notifyOfSecurity(tx, { userId, text, now });
  return links.createPath(tx, userId, now);
});
export const endSessions = onAccount("end_sessions", (tx, id) => sessions.endAll(tx, id));
export const turnFactorOff = onAccount("turn_factor_off", factors.turnOff);
export const noteExport = onAccount("export_user", async () => true);
