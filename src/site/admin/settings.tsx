import { createHash } from "node:crypto";
import { change, check, type Given } from "../../community/settings/changing.ts";
import * as logo from "../../community/uploads/logo.ts";
import type { Program } from "../../http/operation.ts";
import { labelOf } from "../../platform/fields/fields.ts";
import type { Schema } from "../../platform/fields/schema.ts";
import { ADMIN } from "../../platform/paths.ts";
import {
  FIELDS as SETTINGS,
  GROUPS,
  type SettingKey,
  type Settings,
} from "../../platform/settings/fields.ts";
import * as settings from "../../platform/settings/settings.ts";
import { PICTURE_FIELDS, pictureIn } from "../account/profile.tsx";
import { type Forms, runForm } from "../forms.tsx";
import { inkOn, NIGHT, PAPER, readable } from "../kit/color.ts";
import type { FormField, FormFields } from "../kit/forms.tsx";
import { Prose, sanitized } from "../kit/html.tsx";
import { inlineCode } from "../reference/inline.tsx";
import { RowButton, Rows, running, type Sent, thingRoute } from "../staff/kit.tsx";

const KEYS = Object.keys(SETTINGS) as SettingKey[];

export function settingsRoutes(forms: Forms): void {
  const fields: FormFields = {};
  for (const key of KEYS) {
    fields[key] = fieldOf(key);
    if (key === "logo_url") fields["logo"] = LOGO;
  }
  thingRoute<Settings>(forms, `${ADMIN}/settings`, {
    isFor: "admins",
    find: ({ services }) => settings.read(services.db.main),
    title: () => "Settings and pages",
    body: (current) => <Changed current={current} />,
    acts: {
      save: {
        label: "Save",
        after: (
          <button class="button" name="preview" value="1">
            Preview the pages
          </button>
        ),
        fields,
        values: (current) => ({
          ...Object.fromEntries(KEYS.map((key) => [key, String(current[key])])),
          was: KEYS.map((key) => digestOf(String(current[key]))).join(" "),
        }),
        submit: save,
      },
      reset: {
        submit: running((actor, { arg }) => {
          const key = settings.checkedKey(arg);
          return change(actor, { [key]: String(SETTINGS[key].schema.default) });
        }),
      },
    },
  });
}

const digestOf = (value: string) => createHash("sha256").update(value).digest("base64url").slice(0, 8);

const LOGO = {
  ...PICTURE_FIELDS.profile_image,
  label: "Logo",
  hint: "An image, whose address becomes the logo url.",
};

function fieldOf(key: SettingKey): FormField {
  const { description, default: standard, ...bounds } = SETTINGS[key].schema;
  const { maxLength, enum: values, maximum }: Schema = bounds;
  const hint = [inlineCode(description), standard === "" ? "" : ` Default: ${standard}`];
  const field = { label: labelOf(key), heading: GROUPS[key], hint };
  if (maximum !== undefined) return { ...field, inputmode: "numeric", maxLength: 6 };
  if (values === undefined)
    return { ...field, maxLength: maxLength ?? 7, ...(Number(maxLength) > 500 && { kind: "textarea" }) };
  const options = Object.fromEntries(values.map((each) => [each, String(each)]));
  return { ...field, kind: values.length > 4 ? "select" : "radio", options };
}

/** Nothing is stored when one value is refused, nor a value as the form showed it: it may have changed since. A logo whose setting isn't stored goes at night. */
async function save({ visit, files: sent, values, to, of, show }: Sent<Settings>) {
  const { files, images, renderPool } = visit.services;
  const given: Given = {};
  for (const key of KEYS) if (values[key] !== undefined) given[key] = values[key];
  check(given);
  if (values["preview"] !== undefined) return show(await preview(given, renderPool));
  const was = values["was"]?.split(" ") ?? [];
  for (const [at, key] of KEYS.entries()) if (digestOf(given[key] ?? "") === was[at]) delete given[key];
  const image = pictureIn(sent.get("logo"));
  if (image !== undefined) given.logo_url = await logo.store(image, { files, images });
  else if (given.logo_url !== of.logo_url) await logo.refuseMissing(files, given.logo_url ?? "");
  return runForm<void>(visit, (actor) => change(actor, given), to);
}

function preview(given: Given, renderPool: Program["renderPool"]) {
  const texts = KEYS.filter((key) => key.endsWith("_page") && given[key]);
  const rendered = texts.map(async (key) => {
    const { html } = await renderPool.render(given[key] ?? "");
    return [<h2>{labelOf(key)}</h2>, <Prose html={sanitized(html)} under={2} scope={key} />];
  });
  return Promise.all(rendered);
}

/** The settings that aren't as they come, each with a button that resets it; the accent colour in both themes. */
function Changed({ current }: { current: Settings }) {
  const rows = KEYS.filter((key) => current[key] !== SETTINGS[key].schema.default);
  const themes = [PAPER, NIGHT].map((paper) => ({ paper, ink: readable(current.accent_color, paper) }));
  return (
    <>
      {rows.length > 0 && (
        <details>
          <summary>Changed settings: {rows.length}</summary>
          <Rows
            rows={rows.map((key) => ({
              name: labelOf(key),
              notes: [String(current[key]).slice(0, 100)],
              buttons: <RowButton act={`reset ${key}`} of={labelOf(key)} children="Reset" />,
            }))}
          />
        </details>
      )}
      <svg width="320" height="56" role="img" aria-label="The accent colour in both themes">
        {themes.map(({ paper, ink }, index) => (
          <g transform={`translate(${index * 160})`}>
            <rect width="160" height="56" fill={paper} stroke={ink} />
            <text x="16" y="34" fill={ink} children="Link" />
            <rect x="64" y="12" width="80" height="32" rx="4" fill={ink} />
            <text x="80" y="34" fill={inkOn(ink)} children="Button" />
          </g>
        ))}
      </svg>
    </>
  );
}
