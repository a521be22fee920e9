import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type OpenBackup, openBackup, skip } from "../backup/read.ts";
import { migrationsOf, restore, type Restored } from "../backup/restore.ts";
import { type Config, readConfig, typed } from "../../platform/config.ts";
import { asOwner, checkServer } from "../../platform/db/prepare-database.ts";
import { sizeOf } from "../../platform/files/disk.ts";
import { openFiles } from "../../platform/files/open.ts";
import type { Finding } from "../health/finding.ts";
import { count, joinSentences } from "../../platform/text/sentences.ts";
import { action, AS_THE_SERVER, type Called } from "./command.ts";
import { verifyData } from "./doctor-database.ts";
import { formatTime, printResult, type Progress, startProgress, step } from "./output.ts";
import { databaseOf, runningProcesses } from "./running-servers.ts";
import { untilSignal, withDatabase } from "./with-database.ts";

export const addRestore = action(
  {
    name: "restore",
    text: "fill an empty site from a backup, whole or not at all",
    args: { "<file>": "a file of `inkstone backup`; - reads standard input" },
    options: {
      "--check": "only read the file and print what is in it; needs no database",
      "--no-verify": "leave out the checks of `inkstone doctor --verify` at the end",
    },
    json: "print what was restored as a JSON object",
    examples: [
      "inkstone restore site.tar",
      "inkstone restore --check site.tar",
      "age -d -i key.txt site.tar.age | inkstone restore -",
    ],
    note: `No server may run on the site meanwhile. ${AS_THE_SERVER}`,
  },
  async ({ file, check = false, verify }: { file: string; check?: boolean; verify: boolean }, called) => {
    const source = await openSource(file);
    const progress = startProgress(called);
    try {
      const backup = await openBackup(source, file === "-" ? "Standard input" : file);
      await migrationsOf(backup);
      if (check) await printContents(backup, called, progress);
      else await restoreSite(backup, { verify, called, progress });
    } finally {
      progress.end();
      source.destroy();
    }
  },
);

const CHUNK_BYTES = 256 * 1024;

/** Opens a file, or standard input for `-`, so that an unreadable one is refused before anything starts. */
async function openSource(file: string): Promise<Readable> {
  if (file === "-") return process.stdin;
  const handle = await open(file);
  if ((await handle.stat()).isDirectory()) {
    await handle.close();
    throw Object.assign(new Error(), { code: "EISDIR", syscall: "read", path: file });
  }
  return handle.createReadStream({ highWaterMark: CHUNK_BYTES });
}

async function printContents(backup: OpenBackup, called: Called, progress: Progress): Promise<void> {
  progress.show(step("Reading"));
  const contents = await backup.read({ table: (_, lines) => skip(lines), file: async () => {} });
  progress.end();
  const { migrations, tables: _, sequences: __, ...manifest } = backup.manifest;
  const value = { ...manifest, migrations: migrations.map(({ name }) => name), ...contents };
  printResult(called, value, () => {
    const { takenAt, program, postgresql, baseUrl } = manifest;
    const { tables, rows } = contents;
    return `${backup.label} is whole: ${baseUrl} at ${formatTime(takenAt)}, written by Inkstone ${program} on PostgreSQL ${postgresql}.\nIt has ${count(rows, "row")} in ${count(tables, "table")}, and ${filesOf(backup, contents)}.${lack(contents)}`;
  });
}

function filesOf({ manifest }: OpenBackup, { files, bytes }: { files: number; bytes: number }): string {
  return manifest.hasFiles
    ? `${count(files, "file")} (${sizeOf(bytes)})`
    : "no files, as --without-files wanted";
}

/** Empty, or a sentence on a line of its own. */
const lack = ({ missing }: { missing: number }) =>
  missing > 0
    ? `\nIt lacks ${count(missing, "file")} of images that were missing when it was made: an older one may have them.`
    : "";

interface Asked {
  verify: boolean;
  called: Called;
  progress: Progress;
}

async function restoreSite(backup: OpenBackup, { verify, called, progress }: Asked): Promise<void> {
  const startedAt = performance.now();
  const config = readConfig();
  const onProgress = (name: string) => progress.show(step(name));
  const onCheck = (check: string) => onProgress(`Checking ${check}`);
  const { restored, findings } = await withDatabase(
    { ...called, creates: true },
    async (program, { owner }) => ({
      restored: await asOwner(program, owner, async (opened, programRole) => {
        await checkServer(opened.db);
        const files = await openFiles(config);
        const pids = await pidsOn(config);
        const site = { owner: opened, programRole, files, baseUrl: config.baseUrl, now: new Date(), pids };
        return untilSignal((signal) => restore(backup, { ...site, signal, onProgress }));
      }),
      findings: verify ? await verifyData(program.db, config, onCheck) : [],
    }),
    async () => {},
  );
  progress.end();
  // The images that the backup lacks are no fault of the restore.
  const isLacking = !backup.manifest.hasFiles || restored.missing > 0;
  const failed = findings.filter(({ result }) => result === "fail");
  const unexpected = isLacking ? failed.filter(({ check }) => check !== "files") : failed;
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  printResult(called, { ...restored, seconds, findings }, () =>
    [
      describe(backup, restored, seconds),
      ...remarks(backup, restored, config),
      ...(verify ? faults(unexpected, { areAll: unexpected.length === failed.length }) : []),
    ].join("\n"),
  );
  if (unexpected.length > 0) process.exitCode = 1;
}

async function pidsOn(config: Config): Promise<number[]> {
  const running = await runningProcesses(config);
  return running.filter(({ database }) => database === databaseOf(config)).map(({ pid }) => pid);
}

function describe(backup: OpenBackup, restored: Restored, seconds: number): string {
  const { tables, rows } = restored;
  return `Restored ${count(rows, "row")} of ${count(tables, "table")}, and ${filesOf(backup, restored)}, in ${seconds} s.${lack(restored)}`;
}

function remarks({ manifest }: OpenBackup, { migrated, rendered, leftOut }: Restored, { baseUrl }: Config) {
  const lines = [];
  if (migrated.length > 0) lines.push(`Updated the schema: ${migrated.join(", ")}.`);
  if (rendered > 0)
    lines.push(
      `The site was ${manifest.baseUrl} and is ${baseUrl}: \`inkstone serve\` renders ${count(rendered, "text")} with links to one of them again.`,
    );
  if (leftOut.length > 0)
    lines.push(`Left out, because no migration of Inkstone makes it: ${joinSentences(leftOut)}.`);
  if (!manifest.hasFiles) lines.push("The backup has no files: copy DATA_DIR/files or the bucket too.");
  lines.push(
    `Webhook deliveries, emails and fetches are held: \`${typed("outbound resume")}\` lets them go.`,
  );
  return lines;
}

function faults(failed: Finding[], { areAll }: { areAll: boolean }): string[] {
  if (failed.length === 0)
    return [`All ${areAll ? "" : "other "}checks of \`inkstone doctor --verify\` passed.`];
  const lines = failed.flatMap(({ check, message, faults: rows = [] }) => [
    `fail  ${check}: ${message}`,
    ...rows,
  ]);
  return [
    ...lines,
    "The site is restored all the same: correct these, or restore an older backup elsewhere.",
  ];
}
