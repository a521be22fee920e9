import { Logger, type Runner, run } from "graphile-worker";
import type pg from "pg";
import * as analytics from "./analytics/roll-up.ts";
import * as retention from "./analytics/counting.ts";
import * as counting from "./articles/counting.ts";
import * as articleUpkeep from "./articles/upkeep.ts";
import * as removal from "./articles/removal.ts";
import * as rendering from "./articles/rendering.ts";
import * as cards from "./cards/cards.ts";
import * as commentRendering from "./comments/body.ts";
import type { Role } from "./config/connections.ts";
import type { MailServer } from "./config/mail.ts";
import type { Services } from "./context.ts";
import type { Db } from "./db/connect.ts";
import * as events from "./events/events.ts";
import { nextDue } from "./events/outbox.ts";
import type { Nightly } from "./backup/nightly.ts";
import { noRoom } from "./files/disk.ts";
import type { Files } from "./files/files.ts";
import { purgeIdempotencyKeys } from "./http/run-write.ts";
import { enqueue, type JobHandlers } from "./jobs/queue.ts";
import { createWakeUp, detectWrites, poll, type PollOptions } from "./jobs/poll.ts";
import { untilDue } from "./jobs/until-due.ts";
import { isUnavailable } from "./db/failures.ts";
import { hasSessions } from "./db/sessions.ts";
import { currentSnapshot } from "./db/transaction.ts";
import { type Converter, createConverter } from "./feed-imports/converter.ts";
import * as imports from "./feed-imports/imports.ts";
import { sendMails } from "./letters/sending.ts";
import * as listings from "./listings/listings.ts";
import { NEXT_MAIL, purge as purgeMails } from "./mail/queue.ts";
import { forgetTraces } from "./moderation/deleting.ts";
import * as moderation from "./moderation/tags.ts";
import * as notifications from "./notifications/notifications.ts";
import * as mediaChecks from "./podcasts/media-checks.ts";
import * as podcasts from "./podcasts/refreshing.ts";
import * as remotePictures from "./remote-pictures/remote-pictures.ts";
import { purgeChanges } from "./search-index/memory.ts";
import { unlessHeld } from "./jobs/outbound.ts";
import * as vocabulary from "./search/vocabulary.ts";
import * as uploadedFiles from "./uploads/files.ts";
import { deliverDue } from "./webhooks/deliver.ts";
import { resendMissed } from "./webhooks/endpoint-state.ts";
import { purgeSignIns } from "./users/sign-in.ts";
import { fanOut, NEXT_DELIVERY, purge as purgeDeliveries } from "./webhooks/queue.ts";

export interface WorkerOptions {
  /** Of the queue, which listens for new jobs. */
  pool: pg.Pool;
  db: Db;
  services: Services;
  files: Files;
  baseUrl: string;
  /** With MAIL_URL. */
  mail?: MailServer | undefined;
  /** With BACKUP_DIR. */
  nightly?: Nightly | undefined;
  now: () => Date;
  log: (level: "debug" | "warn" | "error", line: string) => void;
}

function handlers({ db, files, services, now }: WorkerOptions): JobHandlers {
  return {
    "render-again": async () => {
      await rendering.rerender(db, services.renderPool);
      await commentRendering.rerender(db, services.renderPool);
      await listings.rerender(db, services.renderPool);
    },
    "forget-user": async ({ user_id: userId, files: names }) => {
      const isDone = await forgetTraces({ db, files }, { userId, names });
      if (!isDone) throw new Error("A backup runs, or the site is restored: files are removed later.");
    },
    "refresh-articles": async (whose) => {
      if ("alias" in whose) await moderation.moveAliased(db, whose.alias, now());
      else await articleUpkeep.refreshAll(db, whose, now());
    },
    "resend-missed": (missed) => resendMissed(db, missed),
  };
}

type Timetable = Record<string, [at: string, work: () => Promise<unknown>, fill?: string]>;

/** Jobs by the clock alone. The next run makes up for a missed one. */
const timetable = ({ db, files, now, nightly }: WorkerOptions): Timetable => ({
  "refresh-hotness": ["*/5 * * * *", () => articleUpkeep.refreshHotness(db, now())],
  "purge-events": ["17 3 * * *", () => events.purge(db)],
  "purge-articles": ["23 3 * * *", () => removal.purge(db, now())],
  "purge-sign-ins": ["27 3 * * *", () => purgeSignIns(db, now())],
  "purge-idempotency-keys": ["29 3 * * *", () => purgeIdempotencyKeys(db)],
  "forget-viewers": ["37 3 * * *", () => retention.forgetViewers(db, now())],
  "purge-analytics": ["39 3 * * *", () => analytics.purge(db)],
  "sweep-files": [
    "41 3 * * *",
    async () => [await uploadedFiles.sweep(db, files, now()), await cards.sweep(files, now())],
  ],
  "purge-webhook-deliveries": ["43 3 * * *", () => purgeDeliveries(db, now())],
  "purge-mails": ["47 3 * * *", () => purgeMails(db, now())],
  // After what the others remove. A server that was down makes up for it.
  ...(nightly && { backup: ["7 4 * * *", unlessHeld(db, () => nightly.run()), "1d"] }),
});

const HOUR_MS = 3_600_000;
const FETCHES_MS = 15_000;

/** A failed job is retried, so it is only a warning. */
const SEVERITY: Record<string, "warn"> = { error: "warn" };

type Task = Omit<PollOptions, "onFailure">;

type TaskOptions = WorkerOptions & { converter: Converter };

function tasks(options: TaskOptions, onFailure: (error: unknown) => void): Task[] {
  const { db, files, now, nightly } = options;
  return [
    // The delay of a scheduled publication.
    {
      pauseMs: 1_000,
      idleMs: untilDue(options, { due: articleUpkeep.NEXT_DUE, leastMs: 1_000 }),
      work: () => articleUpkeep.publishDue(db, now()),
    },
    // The pause is long: many changes together cost less, because they share most words.
    { pauseMs: 5_000, idleMs: HOUR_MS, work: () => vocabulary.addUpChanges(db) },
    { pauseMs: 1_000, idleMs: HOUR_MS, work: () => counting.addUpChanges(db) },
    { pauseMs: 1_000, idleMs: HOUR_MS, work: (signal) => analytics.addUpChanges(db, signal) },
    ...eventTasks(options, onFailure),
    { pauseMs: 5_000, idleMs: HOUR_MS, work: (signal) => articleUpkeep.indexAgain(db, signal) },
    {
      pauseMs: 1_000,
      idleMs: untilDue(options, { due: NEXT_MAIL, leastMs: 2_000 }),
      work: unlessHeld(db, (signal) => sendMails(options, { signal, onFailure })),
    },
    ...fetchTasks(options),
    { pauseMs: 60_000, work: () => purgeChanges(db) },
    { pauseMs: 60_000, work: () => retention.forgetVisitors(db, now()) },
    { pauseMs: HOUR_MS, work: () => files.sweep(now()) },
    ...(nightly ? [{ pauseMs: HOUR_MS, work: unlessHeld(db, () => nightly.check()) }] : []),
  ];
}

/** Tasks of the outbox. */
const TASKS = { clock: "database", leastMs: 5_000 } as const;

function eventTasks(options: TaskOptions, onFailure: (error: unknown) => void): Task[] {
  const { db, services, baseUrl, now } = options;
  const { net, metrics } = services;
  const wakeUp = createWakeUp();
  const delivering = { db, net, metrics, now, random: Math.random, wakeUp, onFailure };
  return [
    {
      pauseMs: 1_000,
      idleMs: untilDue(options, { ...TASKS, due: notifications.NEXT_DUE }),
      work: (signal) => notifications.fanOut(db, now(), signal),
    },
    // The delay of a webhook. Queued deliveries are sent at once.
    {
      pauseMs: 250,
      idleMs: untilDue(options, { ...TASKS, due: nextDue("webhooks") }),
      work: async (signal) => {
        if ((await fanOut(db, { baseUrl, now, signal })) > 0) wakeUp.notify();
      },
    },
    {
      pauseMs: 250,
      idleMs: untilDue(options, { due: NEXT_DELIVERY, leastMs: 2_000 }),
      work: unlessHeld(db, (signal) => deliverDue({ ...delivering, signal })),
      wakeUp,
    },
  ];
}

function fetchTasks({ db, services, files, now, converter }: TaskOptions): Task[] {
  const { images, net } = services;
  const importing = { db, outside: services, renderer: services.renderPool, converter, now };
  const fetches: Task["work"][] = [
    (signal) => podcasts.refreshDue({ db, outside: services, now, signal }),
    (signal) => mediaChecks.checkDue({ db, net, now, signal }),
    (signal) => imports.refreshDue(importing, signal),
    (signal) => remotePictures.fetchPictures({ db, files, images, net, now, signal }),
  ];
  return fetches.map((work) => ({ pauseMs: 5_000, idleMs: FETCHES_MS, work: unlessHeld(db, work) }));
}

/** One statement for all pollers. They start again when a full disk has room. */
const stateOf = async ({ db, services: { disk } }: WorkerOptions): Promise<string> =>
  `${await currentSnapshot(db)} ${disk.hasRoom}`;

async function runJobs(options: WorkerOptions): Promise<Runner> {
  const { pool, log, services } = options;
  const timed = Object.entries(timetable(options));
  const works = Object.fromEntries(timed.map(([name, [, work]]) => [name, work]));
  const jobs: Record<string, (payload: never) => Promise<unknown>> = { ...handlers(options), ...works };
  return run({
    pgPool: pool,
    concurrency: 2,
    noHandleSignals: true,
    // Finds jobs that the clock makes due, and behind a pooler new ones too, whose notifications don't pass it.
    pollInterval: (await hasSessions(pool)) ? 10_000 : 1_500,
    taskList: Object.fromEntries(
      Object.entries(jobs).map(([name, handle]) => [
        name,
        async (payload) => {
          if (!services.disk.hasRoom) throw noRoom();
          await handle(payload as never);
        },
      ]),
    ),
    crontab: timed
      .map(([name, [at, , fill]]) => `${at} ${name} ?max=3${fill === undefined ? "" : `&fill=${fill}`}`)
      .join("\n"),
    logger: new Logger(() => (level, message) => log(SEVERITY[level] ?? "debug", message)),
  });
}

/** The delay of work that another process leaves. */
const DETECTION_MS = 500;

interface Working {
  stop: () => Promise<void>;
}

/**
 * Works until it is stopped. Without a database it retries; without room on the disk it pauses. A process that serves
 * requests has work of its own; background work is that of the role `jobs`.
 */
export async function startWorker(options: WorkerOptions & { role?: Role }): Promise<Working> {
  const { role = "all", log, services } = options;
  const tell = (error: unknown) => log(isUnavailable(error) ? "warn" : "error", String(error));
  const repeat = ({ work, ...task }: Task) =>
    poll({
      ...task,
      work: async (signal) => services.disk.hasRoom && work(signal),
      onFailure: tell,
    });
  const background = role === "web" ? undefined : await startBackground(options, { repeat, tell });
  const own = role === "jobs" ? undefined : startOwn(options, { repeat, tell });
  return {
    async stop() {
      await Promise.all([background?.stop(), own?.stop()]);
    },
  };
}

interface Means {
  repeat: (task: Task) => ReturnType<typeof poll>;
  tell: (error: unknown) => void;
}

/** Nothing that another process could do. */
function startOwn({ db, services, log }: WorkerOptions, { repeat, tell }: Means): Working {
  const { views, searchMemory, cache } = services;
  const writeViews = () => views.write(db, (line) => log("warn", line));
  const pollers = [
    repeat({ pauseMs: 2_000, work: writeViews }),
    // An index that no search asks for falls behind; at the start, it is loaded.
    repeat({ pauseMs: 600_000, work: () => searchMemory.current(db, cache) }),
  ];
  return {
    async stop() {
      await Promise.all(pollers.map((each) => each.stop()));
      // The views since the last poll.
      await writeViews().catch(tell);
      if (views.waiting > 0) log("warn", `${views.waiting} views of articles are lost`);
    },
  };
}

async function startBackground(options: WorkerOptions, { repeat, tell }: Means): Promise<Working> {
  // A newer program may have another renderer.
  await enqueue(options.db, "render-again", {});
  const runner = await runJobs(options);
  // A failing runner must not end the process.
  runner.promise.catch(tell);
  const converter = createConverter();
  const pollers = tasks({ ...options, converter }, tell).map(repeat);
  const detect = detectWrites(
    () => stateOf(options),
    () => pollers.forEach((each) => each.noteWrite()),
  );
  const detector = poll({ work: detect, onFailure: tell, pauseMs: DETECTION_MS });
  return {
    async stop() {
      await Promise.all([...pollers, detector].map((each) => each.stop()));
      await converter.close();
      await runner.stop();
    },
  };
}
