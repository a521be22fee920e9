import { existsSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { asTyped, readConfig, VERSION } from "../../platform/config.ts";
import type { Add } from "./command.ts";

const OK = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

export async function run(argv: string[]): Promise<number> {
  const isJson = argv.includes("--json");
  const program = await createProgram(argv);
  try {
    loadDotEnv();
    await program.parseAsync(argv, { from: "user" });
    return Number(process.exitCode ?? OK);
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const { toSentence } = await import("./failures.ts");
      complain(withFullStop(toSentence(error)), isJson);
      if (isDebugging()) process.stderr.write(`${(error as Error).stack}\n`);
      return FAILED;
    }
    if (error.exitCode === 0) return OK;
    if (error.code !== "commander.help") complain(usageSentence(error, namedCommand(program, argv)), isJson);
    return WRONG_USAGE;
  }
}

/** Only the modules of the called command are loaded. Help begins with six that every site needs. */
const COMMANDS: Record<string, () => Promise<Add>> = {
  serve: async () => (await import("./serve.ts")).addServe,
  user: async () => (await import("./user.ts")).addUser,
  import: async () => (await import("./import.ts")).addImport,
  backup: async () => (await import("./backup.ts")).addBackup,
  doctor: async () => (await import("./doctor.ts")).addDoctor,
  settings: async () => (await import("./settings.ts")).addSettings,
  migrate: async () => (await import("./migrate.ts")).addMigrate,
  export: async () => (await import("./export.ts")).addExport,
  restore: async () => (await import("./restore.ts")).addRestore,
  "setup-link": async () => (await import("./set-up.ts")).addSetUpLink,
  key: async () => (await import("./key.ts")).addKey,
  notification: async () => (await import("./notification.ts")).addNotification,
  article: async () => (await import("./article.ts")).addArticle,
  podcast: async () => (await import("./podcast.ts")).addPodcast,
  feed: async () => (await import("./feed.ts")).addFeed,
  image: async () => (await import("./image.ts")).addImage,
  upload: async () => (await import("./upload.ts")).addUpload,
  files: async () => (await import("./files.ts")).addFiles,
  mail: async () => (await import("./mail.ts")).addMail,
  outbound: async () => (await import("./outbound.ts")).addOutbound,
  webhook: async () => (await import("./webhook.ts")).addWebhook,
  demo: async () => (await import("./demo.ts")).addDemo,
  ready: async () => (await import("./ready.ts")).addReady,
  openapi: async () => (await import("./openapi.ts")).addOpenapi,
};

export async function createProgram([first = ""]: readonly string[]): Promise<Command> {
  const program = new Command("inkstone")
    .description("A self-hosted publishing community with a fast article search API.")
    .version(VERSION, "--version", "print the version")
    .helpOption("-h, --help", "show help for a command, with an example")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 refused or failed, 2 wrong usage. Settings come from the environment or .env.",
    )
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  for (const [index, load] of commandsFor(first).entries())
    (await load())(program.commandsGroup(index < 6 ? "To begin with:" : "Commands:"));
  return program;
}

function commandsFor(first: string): (() => Promise<Add>)[] {
  if (first === "--version") return [];
  return Object.hasOwn(COMMANDS, first) ? [COMMANDS[first] as () => Promise<Add>] : Object.values(COMMANDS);
}

/** The environment wins. */
function loadDotEnv(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

function complain(sentence: string, isJson: boolean): void {
  process.stderr.write(isJson ? `${JSON.stringify({ error: sentence })}\n` : `inkstone: ${sentence}\n`);
}

function namedCommand(program: Command, argv: string[]): string {
  let command = program;
  const words = [program.name()];
  for (const word of argv) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
    words.push(word);
  }
  return words.join(" ");
}

function usageSentence({ message }: CommanderError, command: string): string {
  const sentence = message.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ");
  return `${withFullStop(sentence.charAt(0).toUpperCase() + sentence.slice(1))} ${asTyped(`See \`${command} --help\`.`, [])}`;
}

const withFullStop = (sentence: string): string => (/[.?!]$/.test(sentence) ? sentence : `${sentence}.`);

function isDebugging(): boolean {
  try {
    return ["debug", "trace"].includes(readConfig().logLevel);
  } catch {
    return false;
  }
}
