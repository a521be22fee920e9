import { VARIABLES } from "../../src/config/variables.ts";
import { DESCRIBED, type SettingKey } from "../../src/settings/schema.ts";
import { allowed } from "../../src/settings/settings.ts";

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
  const settings = Object.entries(DESCRIBED).map(
    ([key, setting]) =>
      `| \`${key}\` | \`${JSON.stringify(setting.default)}\` | ${cell(setting.description)} | ${cell(allowed(key as SettingKey))} |`,
  );
  return `# Configuration

<!-- ${NOTE} -->

## The process

These come from the environment, or from a file \`.env\` in the directory the server is started in. A wrong
value stops the start with a message that names the variable and its rule.

| Variable | Default | Meaning | Allowed |
|---|---|---|---|
${variables.join("\n")}

## The community

These are kept in the database and changed while the server runs, with
\`inkstone settings get [KEY]\` and \`inkstone settings set KEY VALUE\`. A running server applies a change
within a second.

| Setting | Default | Meaning | Allowed |
|---|---|---|---|
${settings.join("\n")}
`;
}
