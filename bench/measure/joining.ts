import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { closing, say } from "../kit.ts";
import type { Figure } from "../report.ts";
import { openForWriting } from "./database.ts";
import { sendForm } from "./http.ts";
import { percentiles } from "./percentiles.ts";
import { runTimeOf } from "./processes.ts";
import { command, serve } from "./program.ts";

const CPU_MS = 60;
const DIFFERENCE_MS = 5;
const PASSWORD = "a password of the bench";

/**
 * The processor time of a sign-up with its mail, on a server of its own; and whether known addresses take another time
 * than unknown ones to sign up and to ask for a link.
 */
export function measureJoining(dataDir: string, times: number): Promise<Figure[]> {
  say("Joining");
  return closing(async (later) => {
    const port = await startSink(later);
    const environment = { MAIL_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "bench@mail.example" };
    await command(dataDir, ["settings", "set", "registration", "open"]);
    const { baseUrl, pid, stop } = await serve(dataDir, { environment });
    later(stop);
    const known = await addUsers(dataDir, times);
    let count = 0;
    const signUp = (email: string) =>
      timeOf(baseUrl, "/signup", {
        name: "Bench",
        username: `bench_${++count}`,
        email,
        password: PASSWORD,
        shown: "0",
      });
    const ask = (login: string) => timeOf(baseUrl, "/reset", { login });
    for (let time = 0; time < 20; time += 1) await signUp(`warm_${time}@other.example`);
    const before = runTimeOf(pid);
    const signedUp = await compare(known, signUp);
    const cpu = (runTimeOf(pid) - before) / (2 * known.length);
    const asked = await compare(known, ask);
    const of = `of ${known.length} known addresses from as many unknown ones`;
    return [
      { name: "CPU of signing up, with its mail", value: cpu, unit: "ms", atMost: CPU_MS },
      { name: `Difference of the median ${of}: sign-up`, value: signedUp, unit: "ms", atMost: DIFFERENCE_MS },
      { name: `Difference of the median ${of}: reset`, value: asked, unit: "ms", atMost: DIFFERENCE_MS },
    ];
  });
}

/** The milliseconds by which the medians differ. */
async function compare(known: string[], ask: (address: string) => Promise<number>): Promise<number> {
  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  for (const address of known) {
    times.known.push(await ask(address));
    times.unknown.push(await ask(`no_${address}`));
  }
  return Math.abs(percentiles(times.known).p50 - percentiles(times.unknown).p50);
}

async function timeOf(baseUrl: string, path: string, values: Record<string, string>): Promise<number> {
  const { status, milliseconds } = await sendForm(baseUrl, path, values);
  if (status !== 303) throw new Error(`${path} returned ${status}.`);
  return milliseconds;
}

/** Returns the addresses of new users. */
async function addUsers(dataDir: string, count: number): Promise<string[]> {
  const { db } = openForWriting(dataDir, 1);
  try {
    const names = sql`select 'known_' || n as username from generate_series(1, ${count}) as n`;
    await sql`insert into handles (username, kind) select username, 'user' from (${names}) as names`.execute(
      db,
    );
    const { rows } = await sql<{ email: string }>`
      insert into users (username, name, email)
      select username, username, username || '@mail.example' from (${names}) as names returning email`.execute(
      db,
    );
    return rows.map(({ email }) => email);
  } finally {
    await db.destroy();
  }
}

/** Takes every mail, and keeps none. */
async function startSink(later: (end: () => Promise<void>) => void): Promise<number> {
  const sink = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onData(stream, _session, done) {
      stream.resume().on("end", () => done());
    },
  });
  sink.listen(0, "127.0.0.1");
  await once(sink.server, "listening");
  later(() => new Promise((resolve) => sink.close(() => resolve())));
  return (sink.server.address() as AddressInfo).port;
}
