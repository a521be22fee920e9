import { VARIABLES } from "../../src/config/variables.ts";
import { FIELDS } from "../../src/settings/fields.ts";

const NOTE = "Generated from the sources by `npm run generate`; do not edit.";

/** A file that can be copied to `.env` as it stands: every variable, commented out, with its default. */
export function environmentExample(): string {
  const entries = VARIABLES.map(
    ({ name, rule, description, default: value }) =>
      `# ${description.replaceAll("`", "")}\n# It must be ${rule}.\n#${name}=${value}\n`,
  );
  return `# ${NOTE.replaceAll("`", "")}\n\n${entries.join("\n")}`;
}

const cell = (text: string) => text.replaceAll("|", "\\|");

export function configurationPage(): string {
  const variables = VARIABLES.map(
    ({ name, rule, description, default: value }) =>
      `| \`${name}\` | ${value === "" ? "" : `\`${value}\``} | ${description} | ${rule} |`,
  );
  const settings = Object.entries(FIELDS).map(
    ([key, { schema, rule }]) =>
      `| \`${key}\` | \`${JSON.stringify(schema.default)}\` | ${cell(schema.description)} | ${cell(rule)} |`,
  );
  return `# Configuration

<!-- ${NOTE} -->

## The process

The server reads these variables from its environment, or from a file \`.env\` in the directory in which it is started.
If a value is invalid, the server does not start, and its message names the variable and its rule.

| Variable | Default | Meaning | Allowed |
|---|---|---|---|
${variables.join("\n")}

## The community

The database contains these settings. \`inkstone settings get [KEY]\` prints them, and
\`inkstone settings set KEY VALUE\` changes one; running servers apply a change within a second.

| Setting | Default | Meaning | Allowed |
|---|---|---|---|
${settings.join("\n")}
`;
}
