import type { Command } from "commander";

export function addOpenapi(program: Command): void {
  program
    .command("openapi")
    .description("print the OpenAPI 3.1 document of the API")
    .option("--json", "no effect: the document is JSON")
    .addHelpText("after", "\nExample:\n  inkstone openapi > openapi.json")
    .action(async () => {
      const { openapiText } = await import("./openapi-document.ts");
      process.stdout.write(await openapiText());
    });
}
