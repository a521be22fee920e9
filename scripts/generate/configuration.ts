import { VARIABLES } from "../../src/platform/config/variables.ts";
import { FIELDS } from "../../src/platform/settings/fields.ts";

const NOTE = "Generated from the sources by `npm run generate`; do not edit.";

/** The first variables are those that most sites set. */
const NEEDED = 6;
const BEGINNING = "To begin with";
const OTHERS = "All others";

const head = (text: string) => `# ${text}\n`;

/** A file that can be copied to `.env` as it stands: every variable, commented out, with its default. */
export function environmentExample(): string {
  const entries = VARIABLES.map(
    ({ name, rule, description, default: value }) =>
      `# ${description.replaceAll("`", "")}\n# It must be ${rule}.\n#${name}=${value}\n`,
  );
  const [first, others] = [entries.slice(0, NEEDED), entries.slice(NEEDED)];
  const parts = [head(NOTE.replaceAll("`", "")), head(BEGINNING), ...first, head(OTHERS), ...others];
  return parts.join("\n");
}

const HEAD = "| Variable | Default | Meaning | Allowed |\n|---|---|---|---|";

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

### ${BEGINNING}

${HEAD}
${variables.slice(0, NEEDED).join("\n")}

### ${OTHERS}

${HEAD}
${variables.slice(NEEDED).join("\n")}

## The community

The database contains these settings. \`inkstone settings get [KEY]\` prints them, and
\`inkstone settings set KEY VALUE\` changes one; running servers apply a change within a second.

| Setting | Default | Meaning | Allowed |
|---|---|---|---|
${settings.join("\n")}
`;
}
