import { stat } from "node:fs/promises";
import { sentenceOf } from "../community-file/import.ts";
import { splitList } from "../../platform/config/rules.ts";
import { readConfig } from "../../platform/config.ts";
import type { Db } from "../../platform/db/connect.ts";
import { invalid } from "../../platform/errors.ts";
import { openFiles } from "../../platform/files/open.ts";
import { createImages } from "../../content/images/images.ts";
import { close, type Detected, detect } from "../importers/detect.ts";
import { type ImportWishes, importSources, type Report } from "../importers/import.ts";
import type { PullOptions } from "../importers/pull.ts";
import { type Format, FORMATS } from "../importers/reader.ts";
import { createRenderPool } from "../../content/text/render-pool.ts";
import { count } from "../../platform/text/sentences.ts";
import { siteAddress, userNamed } from "./arguments.ts";
import { action, AS_THE_SERVER } from "./command.ts";
import { note, printResult, progressLine, startProgress } from "./output.ts";
import { withDatabase } from "./with-database.ts";

/** Another one would wait for the database, or for the thread that converts the HTML of other programs. */
const RENDERERS = { community: 2, foreign: 1 };
/** Spares memory while the indexes of search are built. */
const IDLE_MS = 1_000;

type Options = Pick<ImportWishes, "only" | "skipInvalid" | "author" | "site" | "files" | "comments"> & {
  format?: Format;
  dryRun?: boolean;
};

type Pulled = Partial<Pick<PullOptions, "from" | "user" | "key" | "to">>;

export const addImport = action(
  {
    name: "import",
    text: "import a community file, or the export of another program, whole or not at all",
    args: {
      "[file...]":
        "a community file, or an archive of a person, Forem, Ghost or WordPress; - reads a community file from standard input",
    },
    options: {
      "--format <format>": { text: "what the file is, if it isn't recognized", choices: FORMATS },
      "--author <username>": "give everything to this user instead of the authors in the file",
      "--site <address>": {
        text: "the address of the other site, such as https://blog.example",
        parse: siteAddress,
      },
      "--files <folder>": "the pictures of the other site: Ghost's content, WordPress' uploads",
      "--comments": "import the comments of WordPress too",
      "--dry-run": "print what would be made and what is left out, and change nothing",
      "--only <types>": {
        text: "import records of these types only, separated by commas",
        parse: splitList,
      },
      "--from <address>": "pull from a site with an API like Forem's instead, into the file --to",
      "--user <username>": "pull only the articles of this user or organization",
      "--key <key>": "an API key of that site: pull the drafts of its owner too",
      "--to <file>": "the community file that a pull writes, or continues",
      "--skip-invalid": "leave bad records out and say why instead of stopping at the first",
    },
    json: "print the report as a JSON object",
    examples: [
      "inkstone import community.ndjson",
      "zcat old.ndjson.gz | inkstone import - --only user,article",
      "inkstone import ghost.zip --site https://blog.example --dry-run",
      "inkstone import --from https://dev.to --user lena --to lena.ndjson",
    ],
    note: AS_THE_SERVER,
  },
  async (
    { file: files, from, user, key, to, ...options }: Options & Pulled & { file: string[] },
    { json, refuse },
  ) => {
    if (from === undefined) {
      if (user ?? key ?? to) return refuse("error: --user, --key and --to belong to --from");
      if (files.length === 0) return refuse("error: missing required argument 'file'");
    } else {
      if (files.length > 0) return refuse("error: --from takes no file: import the one that it writes");
      if (to === undefined) return refuse("error: --from needs --to <file>");
      const { pullSite } = await import("./pull.ts");
      return pullSite({ from, user, key, to }, { json });
    }
    const startedAt = performance.now();
    // Refuses unreadable files before anything starts.
    const { format, ...wishes } = options;
    const detected = await detect(files, format);
    const size = detected.format === "community" ? await sizeOf(files) : undefined;
    try {
      const report = await withDatabase({ json, creates: true }, ({ db }) =>
        load(db, { detected, size, wishes, json }),
      );
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
      if (!json) explain(report, detected);
      printResult({ json }, { ...report, seconds }, () => describe(report, { seconds, ...options }));
    } finally {
      close(detected.sources);
    }
  },
);

async function sizeOf(files: readonly string[]): Promise<number | undefined> {
  if (files.includes("-")) return undefined;
  const found = await Promise.all(files.map((file) => stat(file)));
  return found.every((one) => one.isFile()) ? found.reduce((sum, { size }) => sum + size, 0) : undefined;
}

interface Load {
  detected: Detected;
  size: number | undefined;
  wishes: Omit<Options, "format">;
  json: boolean;
}

async function load(db: Db, { detected, size, wishes: { dryRun = false, ...wishes }, json }: Load) {
  const foreign = (["author", "site", "files", "comments"] as const).find(
    (name) => wishes[name] !== undefined,
  );
  if (detected.format === "community" && foreign !== undefined)
    throw invalid(`--${foreign} is for other formats: a community file says all itself.`);
  if (wishes.author !== undefined) await userNamed(db, wishes.author);
  const config = readConfig();
  const renderers = RENDERERS[detected.format === "community" ? "community" : "foreign"];
  const renderPool = createRenderPool({ size: renderers, idleMs: IDLE_MS, baseUrl: config.baseUrl });
  const studio = { files: await openFiles(config), images: createImages() };
  const progress = startProgress({ json });
  try {
    return await importSources({ db, ...studio }, detected, {
      ...wishes,
      baseUrl: config.baseUrl,
      isTrial: dryRun,
      now: new Date(),
      renderPool,
      onProgress: (done) => progress.show((seconds) => progressLine(done, { seconds, size })),
    });
  } finally {
    progress.end();
    studio.images.close();
    await renderPool.close();
  }
}

function explain({ bad, left_out, remarks, pictures }: Report, { format }: Detected): void {
  for (const each of bad) note(sentenceOf(each, { hasLines: format === "community" }));
  for (const { type, name, reason } of left_out) note(`left out: ${type} ${name}: ${reason}`);
  for (const { text, count } of remarks) note(`${text} (${count})`);
  for (const { url, reason } of pictures.kept) note(`picture kept at its address: ${url}: ${reason}`);
}

function describe(report: Report, { seconds, dryRun }: { seconds: number } & Options): string {
  const { records, created, updated, unchanged, skipped, left_out, pictures } = report;
  const parts = [`${created} created`, `${updated} updated`, `${unchanged} unchanged`, `${skipped} skipped`];
  if (left_out.length > 0) parts.push(`${left_out.length} left out`);
  if (pictures.made > 0) parts.push(count(pictures.made, "picture"));
  if (!dryRun) return `Imported ${count(records, "record")} in ${seconds} s: ${parts.join(", ")}.`;
  const types = Object.entries(report.types).map(([type, { created, updated, unchanged }]) => {
    return `\n  ${type}: ${created} created, ${updated} updated, ${unchanged} unchanged`;
  });
  return `Nothing was changed. An import would read ${count(records, "record")}: ${parts.join(", ")}.${types.join("")}`;
}
