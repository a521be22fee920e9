import type { Command } from "commander";

export function addOpenapi(program: Command): void {
  program
    .command("openapi")
    .description("print the description of the API, in the form of OpenAPI 3.1")
    .option("--json", "it is JSON anyway")
    .addHelpText("after", "\nExample:\n  inkstone openapi > openapi.json")
    .action(async () => {
      const { openapiText } = await import("./openapi-document.ts");
      process.stdout.write(await openapiText());
    });
}
