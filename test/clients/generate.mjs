// Generates clients of an OpenAPI document: node generate.mjs <document> <folder>
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import openapiTypescript, { astToString } from "openapi-typescript";
import { generate } from "orval";

const [, , document, folder] = process.argv;

await writeFile(`${folder}/paths.ts`, astToString(await openapiTypescript(pathToFileURL(document))));

await createClient({
  input: document,
  output: `${folder}/hey-api`,
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
  logs: { level: "silent" },
});

await generate({
  input: { target: document },
  output: { target: `${folder}/orval/index.ts`, schemas: `${folder}/orval/model`, client: "fetch" },
});
