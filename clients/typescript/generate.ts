import openapiTypescript, { astToString } from "openapi-typescript";
import ts from "typescript";

const BLOB = ts.factory.createTypeReferenceNode("Blob");

/** The types of the API of `src/api.ts`, from the OpenAPI document. */
export async function clientTypes(document: string): Promise<string> {
  const nodes = await openapiTypescript(JSON.parse(document), {
    silent: true,
    // The server fills in what a request leaves out.
    defaultNonNullable: false,
    transform: ({ format }) => (format === "binary" ? BLOB : undefined),
  });
  return `// Generated from openapi.json by \`npm run generate\`.\n\n${astToString(nodes)}`;
}
