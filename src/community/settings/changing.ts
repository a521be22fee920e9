import type { Actor } from "../../http/actor.ts";
import { createErrors } from "../../platform/fields/fields.ts";
import type { SettingKey } from "../../platform/settings/fields.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as log from "../log/log.ts";

export type Given = { [Key in SettingKey]?: string };

const entries = (given: Given) => Object.entries(given) as [SettingKey, string][];

/** @throws FieldsError that names each refused value */
export function check(given: Given): void {
  const errors = createErrors();
  for (const [key, text] of entries(given)) settings.valueIn(key, text, errors.of(key, key));
  errors.throwIfAny();
}

/** Changes all of these settings, or none. @throws FieldsError */
export async function change(actor: Actor<void>, given: Given): Promise<void> {
  check(given);
  await actor.run(async (tx) => {
    const before = await settings.read(tx);
    for (const [key, text] of entries(given)) {
      if (String(before[key]) === text) continue;
      await settings.set(tx, key, text);
      await log.record(tx, actor, {
        act: "change_setting",
        on: { kind: "setting", name: key },
        detail: text,
      });
    }
  });
  settings.noteChange();
}
