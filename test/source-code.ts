import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync } from "oxc-parser";

export const SRC = join(import.meta.dirname, "..", "src");

/** The sources without their tests, by their paths in `src/`. */
export const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(?<!\.test)\.tsx?$/.test(file),
);

/** The sources that a source imports, whether their values or only their types. */
export function localImports(file: string): string[] {
  const source = readFileSync(join(SRC, file), "utf8");
  return [...source.matchAll(/(?:from|import)[ (]"(\.[^"]+)"/g)].map((match) =>
    relative(SRC, join(SRC, dirname(file), match[1] as string)),
  );
}

/** The circles in which sources import each other, each as the list of its files. */
export function circles(): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  function follow(file: string, path: string[]): void {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file) || path.includes(file)) return;
    for (const target of localImports(file)) follow(target, [...path, file]);
    done.add(file);
  }
  for (const file of files) follow(file, []);
  return found;
}

/** Modules that open no connection. All others do, also those of later versions. */
const HARMLESS_NODE =
  /^node:(?:async_hooks|buffer|crypto|events|fs|fs\/promises|os|path|perf_hooks|stream|stream\/[a-z]+|string_decoder|timers|timers\/promises|url|util|zlib)$/;
/** Names of other modules that only examine addresses, listen, or talk to the thread's parent. */
const HARMLESS_NAMES = [
  "isIP",
  "isIPv4",
  "isIPv6",
  "BlockList",
  "SocketAddress",
  "STATUS_CODES",
  "parentPort",
  "isMainThread",
  "workerData",
];

const GLOBALS = ["fetch", "WebSocket", "EventSource", "XMLHttpRequest", "eval", "Function", "require"];
/** Each of these gives access to all of the above, under any name. */
const GLOBAL_OBJECTS = ["globalThis", "global", "self"];
/** By these names alone, whatever they are asked of. */
const PROCESS_MEMBERS = ["getBuiltinModule", "binding", "_linkedBinding", "dlopen", "mainModule"];

interface Node {
  type: string;
  [key: string]: unknown;
}

/**
 * Every way in which this source might reach another program or computer: the module it imports values from, or the global
 * it names. Packages count unless they are known to open nothing.
 */
export function waysOut(source: string, harmlessPackages: readonly string[], name = "source.ts"): string[] {
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  const found = new Set<string>();
  const nodes = [...walk(program as unknown as Node)];
  const declared = new Set(nodes.filter(isDeclared).map(({ node }) => node["name"]));
  for (const place of nodes) {
    const module = moduleOf(place.node);
    if (module !== undefined && isWayOut(module, place.node, harmlessPackages)) found.add(module);
    const name = globalOf(place, declared);
    if (name !== undefined) found.add(name);
  }
  return [...found];
}

/** A node, and as what its parent has it. */
interface Place {
  node: Node;
  parent: Node | undefined;
  key: string | undefined;
}

/** TypeScript that holds values; the rest of it is types, of which nothing is left when the program runs. */
const HOLDS_VALUES =
  /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$|^TSParameterProperty$|^TSExportAssignment$|^TSEnum|^TSModule|^TSImportEquals|^TSExternalModule|^TSQualifiedName$/;

function* walk(node: Node, parent?: Node, key?: string): Generator<Place> {
  if (isOnlyType(node)) return;
  yield { node, parent, key };
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) yield* walk(child, node, name);
    }
  }
}

function isOnlyType(node: Node): boolean {
  if (node["importKind"] === "type" || node["exportKind"] === "type" || node["declare"] === true) return true;
  return node.type.startsWith("TS") && !HOLDS_VALUES.test(node.type);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

const IMPORTS = [
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSExternalModuleReference",
];

/** The module that this imports values from; `import()` of what only running tells is a module of any name. */
function moduleOf(node: Node): string | undefined {
  const { type } = node;
  if (!IMPORTS.includes(type)) return undefined;
  const source = (node["source"] ?? node["expression"]) as Node | null;
  if (source === null || source === undefined) return undefined;
  return typeof source["value"] === "string" ? source["value"] : "import(…)";
}

function isWayOut(module: string, node: Node, harmlessPackages: readonly string[]): boolean {
  if (module.startsWith(".")) return false;
  if (HARMLESS_NODE.test(module)) return false;
  if (module.startsWith("node:")) return !importsOnly(node, HARMLESS_NAMES);
  return !harmlessPackages.some((name) => module === name || module.startsWith(`${name}/`));
}

function importsOnly(node: Node, names: readonly string[]): boolean {
  const specifiers = (node["specifiers"] ?? []) as Node[];
  return (
    specifiers.length > 0 &&
    specifiers.every(
      (specifier) =>
        specifier["importKind"] === "type" ||
        names.includes((specifier["imported"] as Node | undefined)?.["name"] as string),
    )
  );
}

function globalOf(place: Place, declared: Set<unknown>): string | undefined {
  const { node, parent, key } = place;
  const name = (node.type === "Identifier" ? node["name"] : node["value"]) as string;
  if (PROCESS_MEMBERS.includes(name) && ["property", "key"].includes(key ?? "")) return name;
  // An option of threads.
  if (name === "eval" && key === "key") return name;
  if (node.type !== "Identifier" || isName(place)) return undefined;
  if (GLOBALS.includes(name) || name === "globalThis" || name === "global") return name;
  if (GLOBAL_OBJECTS.includes(name) && !declared.has(name)) return name;
  return name === "process" && isHandedOn(parent, key, declared) ? name : undefined;
}

/** Whether more is done with `process` than asking it for something by name. */
function isHandedOn(parent: Node | undefined, key: string | undefined, declared: Set<unknown>): boolean {
  if (parent?.type === "MemberExpression" && key === "object") {
    return parent["computed"] === true && (parent["property"] as Node).type !== "Literal";
  }
  const isTakenApart =
    parent?.type === "VariableDeclarator" && (parent["id"] as Node).type === "ObjectPattern";
  return isTakenApart || !declared.has("process");
}

/** Whether this gives something of the module's own this name. */
function isDeclared({ node, parent, key }: Place): boolean {
  if (node.type !== "Identifier" || parent === undefined) return false;
  if (parent.type === "VariableDeclarator") return key === "id";
  return key === "params" || key === "local" || (key === "value" && parent.type === "Property");
}

/** Whether an identifier is only what something of ours is called. */
function isName({ parent, key }: Place): boolean {
  if (parent === undefined || parent["computed"] === true) return false;
  return key === "property" || key === "key";
}
