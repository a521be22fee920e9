import * as log from "../../community/log/log.ts";
import { change } from "../../community/settings/changing.ts";
import type { Actor } from "../../http/actor.ts";
import type { App } from "../../http/app-type.ts";
import type { Mount, Program } from "../../http/operation.ts";
import { VERSION } from "../../platform/config.ts";
import { notFound } from "../../platform/errors.ts";
import { idIn } from "../../platform/fields/fields.ts";
import { ADMIN, NEW_ARTICLE } from "../../platform/paths.ts";
import * as settings from "../../platform/settings/settings.ts";
import { createForms } from "../../site/forms.tsx";
import { inlineCode } from "../../site/reference/inline.tsx";
import { type Act, RowButton, Rows, running, thingRoute } from "../../site/staff/kit.tsx";
import { examineDatabase } from "../cli/doctor-database.ts";
import { checkProcess } from "../cli/doctor.ts";
import type { Finding } from "../health/finding.ts";
import { peopleRoutes } from "./people.tsx";
import * as queries from "./queries.ts";
import { QUEUES } from "./queues.ts";

type State = Awaited<ReturnType<typeof look>>;

/** The pages of administration that need what only an operator's part knows. */
export const administrationRoutes: Mount = async (app, program) => {
  await app.register(async (part: App) => {
    const forms = createForms(part, program);
    peopleRoutes(forms);
    thingRoute<object>(forms, ADMIN, {
      isFor: "admins",
      find: async () => ({}),
      title: () => "State",
      body: async (_, { services }) => <StateBody {...await look(services)} />,
      acts: {
        put_away: { submit: running((actor) => change(actor, { first_steps: "hidden" })) },
        retry: settling("retry"),
        discard: settling("discard"),
      },
    });
  });
};

/** Retries or discards a failure, which the button names by its queue and id. */
const settling = (act: "retry" | "discard"): Act<object> => ({
  submit: running(async (actor: Actor<void>, { arg }) => {
    const [queue = "", number = ""] = arg.split(" ");
    const id = idIn(number);
    const settle = Object.hasOwn(QUEUES, queue) ? QUEUES[queue]?.[act] : undefined;
    if (id === undefined || settle === undefined) throw notFound();
    await actor.run(async (tx) => {
      if ((await settle(tx, id, actor.now())) === false) throw notFound();
      await log.record(tx, actor, { act: `${act}_failure`, on: { kind: "site", id, name: queue } });
    });
  }),
});

async function look({ config, db, now }: Program) {
  const { logo_url, first_steps } = await settings.read(db.main);
  const done = await queries.begun(db.main);
  const steps = [
    [done.hasArticle, NEW_ARTICLE, "Publish a first article"],
    [logo_url !== "", "/admin/settings#logo", "Upload a logo"],
    [config.mail !== undefined, "#mail", "Set up emails"],
    [config.backupDir !== undefined, "#backups", "Set up backups"],
    [done.hasInvited, "/settings/invitations", "Invite people"],
  ] as const;
  const ofProcess = await checkProcess({ config, node: process.versions.node, uid: process.getuid?.() });
  const failures = Object.entries(QUEUES).map(async ([queue, { failures: load }]) =>
    (await load(db.main)).map((failure) => ({ ...failure, queue })),
  );
  return {
    steps: first_steps === "shown" ? steps.filter(([isDone]) => !isDone) : [],
    days: await queries.newByDay(db.main, now()),
    failures: (await Promise.all(failures)).flat(),
    findings: [...ofProcess, ...(await examineDatabase(db.main, config)).findings],
  };
}

function StateBody({ steps, days, failures, findings }: State) {
  return (
    <>
      {steps.length > 0 && (
        <>
          <h2>What is left to do</h2>
          <ul>
            {steps.map(([, href, words]) => (
              <li>
                <a href={href}>{words}</a>
              </li>
            ))}
          </ul>
          <RowButton act="put_away" of="this list" children="Put away" />
        </>
      )}
      <h2>New in 30 days</h2>
      {NEW.map((noun) => (
        <Chart noun={noun} days={days} />
      ))}
      <Table days={days} />
      <h2>Failures</h2>
      {failures.length === 0 && <p>No email, webhook, feed or job has failed.</p>}
      <Rows rows={failures.map(failureRow)} />
      <h2>Checks</h2>
      <p>
        Inkstone {VERSION}. {inlineCode("`inkstone doctor`")} makes the same checks.
      </p>
      <ul class="rows">
        {findings.toSorted(byResult).map(({ check, result, message }) => (
          <li id={check.replaceAll(" ", "-")}>
            <strong>
              {result === "ok" ? "" : `${result}: `}
              {check}
            </strong>
            <p>{inlineCode(message)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

const NEW = ["people", "articles", "comments"] as const;

/** A bar for each day. The table says the same. */
function Chart({ noun, days }: { noun: (typeof NEW)[number]; days: State["days"] }) {
  const numbers = days.map((day) => day[noun]);
  const most = Math.max(1, ...numbers);
  return (
    <figure class="chart">
      <figcaption>
        {numbers.reduce((sum, number) => sum + number)} {noun}
      </figcaption>
      <svg viewBox="0 0 300 40" role="img" aria-label={`New ${noun} by day`}>
        {numbers.map((number, index) => (
          <rect x={index * 10} y={40 - (40 * number) / most} width="9" height={(40 * number) / most} />
        ))}
      </svg>
    </figure>
  );
}

const Table = ({ days }: Pick<State, "days">) => (
  <details class="chart">
    <summary>As a table</summary>
    <table>
      <tr>
        {["day", ...NEW].map((name) => (
          <th scope="col">{name}</th>
        ))}
      </tr>
      {days.map((each) => (
        <tr>
          <th scope="row">{each.day}</th>
          {NEW.map((noun) => (
            <td>{each[noun]}</td>
          ))}
        </tr>
      ))}
    </table>
  </details>
);

const SEVERITY = ["fail", "warn", "ok"];
const byResult = (one: Finding, other: Finding) =>
  SEVERITY.indexOf(one.result) - SEVERITY.indexOf(other.result);

const failureRow = ({ queue, id, about, reason }: State["failures"][number]) => ({
  name: about,
  notes: [queue, reason],
  buttons: [
    <RowButton act={`retry ${queue} ${id}`} of={about} children="Retry" />,
    QUEUES[queue]?.discard && <RowButton act={`discard ${queue} ${id}`} of={about} children="Discard" />,
  ],
});
