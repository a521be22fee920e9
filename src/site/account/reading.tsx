import { choice, readField } from "../../platform/fields/fields.ts";
import { storeReading } from "../../community/users/viewer.ts";
import { Form, type FormFields } from "../kit/forms.tsx";
import { type Forms, runUnseen } from "../forms.tsx";
import { doneAt, settingsRoute } from "./settings.tsx";

const PATH = "/settings/reading";

const FIELDS = {
  theme: {
    label: "Theme",
    kind: "radio",
    options: { system: "As this device has it", light: "Light", dark: "Dark" },
  },
  size: {
    label: "Size of texts",
    kind: "radio",
    options: { small: "Small", medium: "Medium", large: "Large" },
  },
  face: {
    label: "Texts of articles",
    kind: "radio",
    options: { serif: "With serifs", sans: "Without serifs" },
  },
} as const satisfies FormFields;

const NAMES = ["theme", "size", "face"] as const;
const USUAL = "system medium serif";
const YEAR_SECONDS = 31_536_000;

export function readingRoutes(forms: Forms): void {
  settingsRoute(forms, PATH, {
    fields: FIELDS,
    async body({ viewer }, typed) {
      const words = (viewer.reading ?? USUAL).split(" ");
      const stored = Object.fromEntries(NAMES.map((name, index) => [name, words[index] ?? ""]));
      const values = { ...stored, ...typed.values };
      return <Form action={PATH} typed={{ ...typed, values }} fields={FIELDS} submit="Save" />;
    },
    submit(visit, { values }) {
      const { session, site } = visit;
      const [theme, ...others] = NAMES.map((name) =>
        readField(choice(FIELDS[name].options), values[name], name),
      );
      const reading = [theme, ...others].join(" ");
      const secure = site.baseUrl.startsWith("https:") ? "; Secure" : "";
      const life = theme === "system" ? 0 : YEAR_SECONDS;
      // Pages of strangers have the same theme on this device.
      const cookie = `theme=${theme === "system" ? "" : theme}; Path=/; Max-Age=${life}; SameSite=Lax${secure}`;
      return runUnseen(visit, (tx) => storeReading(tx, session.id, reading), {
        to: doneAt(PATH, "saved"),
        cookies: [cookie],
      });
    },
  });
}
