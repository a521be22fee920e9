import type { Migration } from "../src/db/migrations.ts";

/** Statements whose parts are one space apart, without comments and what stands in quotes. */
function statementsOf({ statements }: Migration): string[] {
  return statements
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .split(";")
    .map((text) => text.trim().replaceAll(/\s+/g, " ").toLowerCase())
    .filter((text) => text !== "");
}

const CONSTANT = /^(?:''|true|false|null|-?\d+(?:\.\d+)?)(?:::[a-z_]+(?:\[\])?)?(?: |,|$)/;

/** What an older program or its queries don't survive, by the words of a statement about a table that isn't new. */
const ALTERATIONS: [words: RegExp, fault: string][] = [
  [/ rename /, "renames"],
  // A check may be replaced in the same statement, by a weaker one: it refuses no row of an older program.
  [/ drop (?!not null|default|constraint (\S+_check)\b.* add constraint \1 check\b)/, "drops"],
  [/ alter (?:column )?\S+ (?:set data )?type /, "changes a type"],
  [/ set not null/, "sets not null"],
  [/ set schema /, "moves a table"],
  [
    / add (?:column )?(?!constraint)[^,]* (?:generated|(?:small|big)?serial)\b/,
    "computes a column for each row",
  ],
  [/ (?:unique|primary key|exclude)\b/, "builds an index beside which nothing can be written"],
  [/ add (?:constraint \S+ )?(?:check|foreign key)\b(?!.* not valid)/, "checks each row: add `not valid`"],
];

const CONCURRENT = /^create (?:unique )?index concurrently if not exists \w+ on /;

/** Why a file must not run beside an older program, by statement; nothing for one that may. */
export function faultsOf(migration: Migration): string[] {
  const statements = statementsOf(migration);
  if (statements.some((text) => / concurrently /.test(text))) return faultsBeside(migration, statements);
  if (migration.kind === "contract") return [];
  const created = new Set(statements.flatMap((text) => /^create table (\S+)/.exec(text)?.[1] ?? []));
  return statements.flatMap((text) => {
    const fault = faultOf(text, created);
    return fault === undefined ? [] : `${fault}: ${text}`;
  });
}

/** A file that builds indexes beside reads and writes runs outside of a transaction, in parts. */
function faultsBeside({ kind }: Migration, statements: string[]): string[] {
  const others = statements.filter((text) => !CONCURRENT.test(text));
  return [
    ...(kind === "contract" ? ["builds indexes in a contracting file"] : []),
    ...others.map((text) => `is more than \`create index concurrently if not exists\`: ${text}`),
  ];
}

function faultOf(text: string, created: Set<string>): string | undefined {
  if (/^(?:drop|truncate|do|lock|reindex|cluster|vacuum) /.test(text)) return "drops, blocks or hides";
  const indexed = /^create (?:unique )?index \w+ on (?:only )?([^\s(]+)/.exec(text)?.[1];
  if (indexed !== undefined && !created.has(indexed)) return "builds an index, but not concurrently";
  const [, altered, change = ""] = /^alter table (?:if exists )?(?:only )?(\S+)(.*)$/.exec(text) ?? [];
  if (altered !== undefined) return created.has(altered) ? undefined : faultOfChange(change);
  return /^alter (?!table).*? rename /.test(text) ? "renames" : undefined;
}

function faultOfChange(change: string): string | undefined {
  const known = ALTERATIONS.find(([words]) => words.test(change));
  if (known !== undefined) return known[1];
  const defaults = [...change.matchAll(/ default (?=(.*))/g)].map(([, rest = ""]) => rest);
  if (defaults.some((rest) => !CONSTANT.test(rest))) return "has a default that is not constant";
  const added = change.split(/,(?= (?:add|alter|drop) )/).filter((part) => part.startsWith(" add "));
  const needed = added.some((part) => / not null/.test(part) && !/ default /.test(part));
  return needed ? "adds a column that older programs don't fill" : undefined;
}
