import * as log from "../../community/log/log.ts";
import * as people from "../../community/moderation/people.ts";
import * as reports from "../../community/moderation/reports.ts";
import { sentenceOf } from "../../community/users/suspension.ts";
import { notFound } from "../../platform/errors.ts";
import { MODERATION as PATH, personPath, profilePath } from "../../platform/paths.ts";
import type { MemberVisit, OwnPage } from "../forms.tsx";
import { NoRows } from "../kit/components.tsx";
import { Form, type Typed } from "../kit/forms.tsx";
import { countedPage } from "../kit.tsx";
import { DAYS } from "./acting.tsx";
import { ActForm, staffPage } from "./list.tsx";
import { AuthorFacts, Entries, Reported, Reports } from "./rows.tsx";

const PER_PAGE = 20;
/** Reports and measures, newest first. */
const FIRST = { limit: 50, offset: 0 };

const NOTE = { note: { label: "Note for staff", kind: "textarea", maxLength: 2_000, rows: 3 } } as const;

export async function personPage(
  visit: MemberVisit<{ page: number; done?: string }, { id: number }>,
  typed: Typed,
): Promise<OwnPage> {
  const { services, query, site, params } = visit;
  const [db, { id }] = [services.db.main, params];
  const account = (await people.list(db, [id])).get(id);
  if (account === undefined) throw notFound();
  const at = personPath(id);
  const { rows, place } = await countedPage(visit, { path: at, perPage: PER_PAGE }, (cut) =>
    people.textsOf(db, id, cut),
  );
  const reported = await reports.ofAuthor(db, id, FIRST);
  const measures = await log.list(db, { userId: id, ...FIRST });
  return staffPage({
    title: `@${account.username}`,
    at,
    done: query.done,
    place,
    body: (
      <>
        <p class="meta">
          <a href={profilePath(account.username)} dir="auto">
            {account.name}
          </a>
          <span>{account.role}</span>
          <AuthorFacts author={account} now={site.now} />
        </p>
        {account.suspended && <p class="notice">{await sentenceOf(db, id)}</p>}
        <PersonActs account={account} back={at} />
        <Form
          action={`${PATH}/user/${id}/note`}
          typed={{ ...typed, values: { note: account.staff_note ?? "" } }}
          fields={NOTE}
          hidden={{ back: at }}
          submit="Save"
        />
        <h2>Reports</h2>
        {reported.length === 0 ? <p>No reports</p> : <Reports list={reported} now={site.now} />}
        <h2>Measures</h2>
        {measures.length === 0 ? <p>No measures</p> : <Entries list={measures} now={site.now} />}
        <h2>Texts</h2>
        {rows.length === 0 && <NoRows noun="texts" first={place.first} title="No texts" />}
        {rows.map((thing) => (
          <Reported {...thing} thing={thing} author={undefined} reports={[]} now={site.now} back={at} />
        ))}
      </>
    ),
  });
}

function PersonActs({ account: { id, suspended, spam }, back }: { account: people.Account; back: string }) {
  const acts = {
    ...(!spam && { suspend: "Suspend", spam: "Mark as spam" }),
    ...(suspended && { lift: "Lift" }),
  };
  return (
    <ActForm on={{ kind: "user", id }} acts={acts} back={back}>
      {!spam && (
        <select name="days" aria-label="Suspend for">
          {Object.entries(DAYS).map(([days, words]) => (
            <option value={days}>{words}</option>
          ))}
        </select>
      )}
    </ActForm>
  );
}
