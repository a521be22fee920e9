import type { ComponentChildren } from "preact";
import * as log from "../../community/log/log.ts";
import { change } from "../../community/settings/changing.ts";
import type { App } from "../../http/app-type.ts";
import type { Mount, Program } from "../../http/operation.ts";
import { VERSION } from "../../platform/config.ts";
import { notFound } from "../../platform/errors.ts";
import { idIn } from "../../platform/fields/fields.ts";
import { ADMIN } from "../../platform/paths.ts";
import * as settings from "../../platform/settings/settings.ts";
import { createForms, runForm } from "../../site/forms.tsx";
import { inlineCode } from "../../site/reference/inline.tsx";
import { RowButton, Rows, type Sent, thingRoute } from "../../site/staff/things.tsx";
import { examineDatabase } from "../cli/doctor-database.ts";
import { checkProcess } from "../cli/doctor.ts";
import type { Finding } from "../health/finding.ts";
import { Chart } from "./chart.tsx";
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
        put_away: {
          submit: ({ visit, to }) =>
            runForm<void>(visit, (actor) => change(actor, { first_steps: "hidden" }), to),
        },
        retry: { submit: (sent) => settle(sent, "retry") },
        discard: { submit: (sent) => settle(sent, "discard") },
      },
    });
  });
};

function settle({ visit, arg, to }: Sent<object>, act: "retry" | "discard") {
  const [queue = "", number = ""] = arg.split(" ");
  const [id, run] = [idIn(number), Object.hasOwn(QUEUES, queue) ? QUEUES[queue]?.[act] : undefined];
  if (id === undefined || run === undefined) throw notFound();
  return runForm<void>(
    visit,
    (actor) =>
      actor.run(async (tx) => {
        await run(tx, id, actor.now());
        await log.record(tx, actor, { act: `${act}_failure`, on: { kind: "site", id, name: queue } });
      }),
    to,
  );
}

async function look({ config, db, now }: Program) {
  const { logo_url, first_steps } = await settings.read(db.main);
  const done = await queries.begun(db.main);
  const steps = [
    [done.hasArticle, "/settings/keys", "Publish a first article, by a program with an API key"],
    [logo_url !== "", "/admin/settings#logo", "Upload a logo"],
    [config.mail !== undefined, "#mail", "Set up emails"],
    [config.backupDir !== undefined, "#backups", "Set up backups"],
    [done.hasInvited, "/settings/invitations", "Invite people"],
  ] as const;
  const ofProcess = await checkProcess({ config, node: process.versions.node, uid: process.getuid?.() });
  const queues = Object.entries(QUEUES).map(async ([name, { failures }]) => ({
    name,
    failures: await failures(db.main),
  }));
  return {
    steps: first_steps === "shown" ? steps.filter(([isDone]) => !isDone) : [],
    days: await queries.newByDay(db.main, now()),
    queues: (await Promise.all(queues)).filter(({ failures }) => failures.length > 0),
    findings: [...ofProcess, ...(await examineDatabase(db.main, config)).findings],
  };
}

const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <>
    <h2>{title}</h2>
    {children}
  </>
);

function StateBody({ steps, days, queues, findings }: State) {
  return (
    <>
      {steps.length > 0 && (
        <Section title="What is left to do">
          <ul>
            {steps.map(([, href, words]) => (
              <li>
                <a href={href}>{words}</a>
              </li>
            ))}
          </ul>
          <RowButton act="put_away" of="this list" children="Put away" />
        </Section>
      )}
      <Section title="New in 30 days">
        <Chart days={days} />
      </Section>
      <Section title="Failures">
        {queues.length === 0 && <p>No email, webhook, feed or job has failed.</p>}
        {queues.map(({ name, failures }) => (
          <Rows
            rows={failures.map((each) => ({
              name: each.about,
              notes: [name, each.reason],
              buttons: buttonsOf(name, each),
            }))}
          />
        ))}
      </Section>
      <Section title="Checks">
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
      </Section>
    </>
  );
}

const SEVERITY = ["fail", "warn", "ok"];
const byResult = (one: Finding, other: Finding) =>
  SEVERITY.indexOf(one.result) - SEVERITY.indexOf(other.result);

const buttonsOf = (queue: string, { id, about }: { id: number | string; about: string }) => (
  <>
    <RowButton act={`retry ${queue} ${id}`} of={about} children="Retry" />
    {QUEUES[queue]?.discard && <RowButton act={`discard ${queue} ${id}`} of={about} children="Discard" />}
  </>
);
