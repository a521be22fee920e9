import type { Operation } from "./document.ts";

/** Optional parameters without which a sample would show little of its operation: the first of them that it has. */
const SHOWN = ["q", "a_id", "tag"];

/** A request that works on a fresh demo. */
export interface Sample {
  method: string;
  /** The path with its query. */
  path: string;
  needsKey: boolean;
  body?: unknown;
  /** The path of an image that is sent in a form. */
  file?: string;
}

export function sampleOf(operation: Operation): Sample {
  const { method, security, parameters, body } = operation;
  const inQuery = parameters.filter(({ in: place }) => place === "query");
  const chosen = SHOWN.find((wanted) => inQuery.some(({ name }) => name === wanted));
  const shown = inQuery.filter(({ name, required }) => required || name === chosen);
  const query = new URLSearchParams(shown.map(({ name, example }) => [name, String(example)]));
  const path = pathOf(operation);
  const isForm = body?.type === "multipart/form-data";
  return {
    method,
    path: query.size === 0 ? path : `${path}?${query}`,
    needsKey: security.includes("apiKey") && !security.includes(undefined),
    ...(isForm && { file: (body.example as { image: string }).image }),
    ...(body && !isForm && { body: body.example }),
  };
}

function pathOf({ path, parameters }: Operation): string {
  const examples = new Map(parameters.map(({ name, example }) => [name, String(example)]));
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(examples.get(name) ?? ""),
  );
}

/** A request in one language; `baseUrl` is the site's. */
type Write = (baseUrl: string, sample: Sample) => string;

const curl: Write = (baseUrl, { method, path, needsKey, body, file }) => {
  const implied = body === undefined && file === undefined ? "GET" : "POST";
  const parts = [
    `curl ${method === implied ? "" : `-X ${method} `}'${baseUrl}${path}'`,
    ...(needsKey ? ['-H "api-key: $KEY"'] : []),
    ...(file === undefined ? [] : [`-F 'image=@${file}'`]),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`]),
  ];
  return parts.join(" \\\n  ");
};

const javascript: Write = (baseUrl, { method, path, needsKey, body, file }) => {
  const headers = [
    ...(needsKey ? ['"api-key": env.KEY'] : []),
    ...(body === undefined ? [] : ['"content-type": "application/json"']),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, null, 2))})`]),
    ...(file === undefined ? [] : ["body: form"]),
  ];
  const form = [
    'import { openAsBlob } from "node:fs";',
    "",
    "const form = new FormData();",
    `form.append("image", await openAsBlob("${file}"), "image");`,
  ];
  const given = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")},\n}`;
  return [
    ...(needsKey ? ['import { env } from "node:process";'] : []),
    ...(file === undefined ? [] : form),
    `const response = await fetch("${baseUrl}${path}"${given});`,
    `console.log(response.status, await response.text());`,
  ].join("\n");
};

const python: Write = (baseUrl, { method, path, needsKey, body, file }) => {
  const options = [
    `"${baseUrl}${path}"`,
    ...(needsKey ? ['headers={"api-key": os.environ["KEY"]}'] : []),
    ...(body === undefined ? [] : [`json=${indented(pythonOf(body))}`]),
    ...(file === undefined ? [] : [`files={"image": open("${file}", "rb")}`]),
  ];
  const given = options.length === 1 ? String(options[0]) : `\n    ${options.join(",\n    ")},\n`;
  return [
    ...(needsKey ? ["import os"] : []),
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(${given})`,
    "print(response.status_code, response.text)",
  ].join("\n");
};

function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

function pythonOf(value: unknown): string {
  const words: Record<string, string> = { true: "True", false: "False", null: "None" };
  // A whole line ends in a word of JSON only where it is one: texts end in quotes.
  return JSON.stringify(value, null, 2).replaceAll(
    /(?<=: |^ +)(true|false|null)(?=,?$)/gm,
    (word) => words[word] ?? word,
  );
}

export const LANGUAGES: readonly { name: string; language: string; write: Write }[] = [
  { name: "curl", language: "bash", write: curl },
  { name: "JavaScript", language: "javascript", write: javascript },
  { name: "Python", language: "python", write: python },
];
