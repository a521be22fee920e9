import { parseSync } from "oxc-parser";

/** Modules of Node by which a program reaches others, but for what in them only looks at addresses or listens. */
const NETWORK =
  /^(?:node:)?(?:http|https|http2|net|tls|dns|dns\/promises|dgram|child_process|module|inspector)$/;
const HARMLESS_NAMES = ["isIP", "isIPv4", "isIPv6", "BlockList", "SocketAddress", "STATUS_CODES"];

/** What every module has without importing it. */
const GLOBALS = ["fetch", "WebSocket", "EventSource", "XMLHttpRequest", "eval", "Function", "require"];
const GLOBAL_OBJECTS = ["globalThis", "global", "self"];
const PROCESS_MEMBERS = ["getBuiltinModule", "binding", "dlopen"];

interface Node {
  type: string;
  [key: string]: unknown;
}

/**
 * Every way in which this source might reach another program or computer: the module it imports values from, or the global
 * it names. Packages count unless they are known to open nothing.
 */
export function waysOut(source: string, harmlessPackages: readonly string[]): string[] {
  const { program, errors } = parseSync("source.ts", source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  const found = new Set<string>();
  for (const { node, parent, key } of walk(program as unknown as Node)) {
    const module = moduleOf(node);
    if (module !== undefined && isWayOut(module, node, harmlessPackages)) found.add(module);
    const name = globalOf(node, parent, key);
    if (name !== undefined) found.add(name);
  }
  return [...found];
}

function* walk(
  node: Node,
  parent?: Node,
  key?: string,
): Generator<{ node: Node; parent: Node | undefined; key: string | undefined }> {
  yield { node, parent, key };
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) yield* walk(child, node, name);
    }
  }
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
  if (node["importKind"] === "type" || node["exportKind"] === "type") return undefined;
  const source = (node["source"] ?? node["expression"]) as Node | null;
  if (source === null || source === undefined) return undefined;
  return typeof source["value"] === "string" ? source["value"] : "import(…)";
}

function isWayOut(module: string, node: Node, harmlessPackages: readonly string[]): boolean {
  if (module.startsWith(".")) return false;
  if (NETWORK.test(module)) return !importsOnly(node, HARMLESS_NAMES);
  if (module.startsWith("node:")) return false;
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

function globalOf(node: Node, parent: Node | undefined, key: string | undefined): string | undefined {
  if (node.type === "MemberExpression") return memberOf(node);
  const name = node["name"] as string;
  if (node.type !== "Identifier" || !GLOBALS.includes(name) || isName(parent, key)) return undefined;
  return name;
}

/** `globalThis.fetch` and the like, however it is written. */
function memberOf(node: Node): string | undefined {
  const object = (node["object"] as Node)["name"] as string;
  const property = node["property"] as Node;
  const member = (node["computed"] ? property["value"] : property["name"]) as string | undefined;
  if (GLOBAL_OBJECTS.includes(object) && (member === undefined || GLOBALS.includes(member)))
    return `${object}.${member}`;
  if (object === "process" && (member === undefined || PROCESS_MEMBERS.includes(member)))
    return `process.${member}`;
  return undefined;
}

/** Whether an identifier is only what something of ours is called: a property, or a type. */
function isName(parent: Node | undefined, key: string | undefined): boolean {
  if (parent === undefined || parent.type.startsWith("TS")) return true;
  if (parent.type === "MemberExpression") return key === "property" && !parent["computed"];
  const isKey = key === "key" && !parent["computed"];
  return isKey && parent["shorthand"] !== true;
}
