import { action } from "./command.ts";

export const addOpenapi = action(
  {
    name: "openapi",
    text: "print the OpenAPI 3.1 document of the API",
    json: "no effect: the document is JSON",
    examples: "inkstone openapi > openapi.json",
  },
  async () => {
    const { openapiText } = await import("./openapi-document.ts");
    process.stdout.write(await openapiText());
  },
);
