import type { Author } from "../../http/actor.ts";
import type { PageForm } from "../../http/form-body.ts";
import { invalid } from "../../platform/errors.ts";
import * as profilePicture from "../../content/images/profile-picture.ts";
import type { Edited } from "../../community/users/fields.ts";
import * as users from "../../community/users/users.ts";
import { Avatar } from "../kit/components.tsx";
import { Form, type FormFields } from "../kit/forms.tsx";
import { type Forms, type MemberVisit, runForm } from "../forms.tsx";
import { doneAt, settingsRoute } from "./settings.tsx";

const PATH = "/settings/profile";

const TEXTS = {
  name: { label: "Name", autocomplete: "name", maxLength: 100, required: true },
  summary: { label: "Summary", kind: "textarea", maxLength: 2_000, hint: "A few sentences about you." },
  location: { label: "Location", maxLength: 200 },
  website_url: { label: "Website", kind: "url", autocomplete: "url", inputmode: "url", maxLength: 2_000 },
} as const satisfies FormFields;

export const PICTURE_FIELDS = {
  profile_image: {
    label: "Picture",
    kind: "file",
    accept: "image/jpeg,image/png,image/gif,image/webp,image/avif",
    hint: "A JPEG, PNG, GIF, WebP or AVIF image of at most 10 MiB, which takes the place of the one above.",
  },
  remove_image: { label: "Remove the picture", kind: "checkbox" },
} as const satisfies FormFields;

const FIELDS = { ...TEXTS, ...PICTURE_FIELDS };

export function profileRoutes(forms: Forms): void {
  settingsRoute(forms, PATH, {
    fields: FIELDS,
    async body({ viewer, services }, typed) {
      const stored =
        typed.faults.length === 0 ? await users.findProfile(services.db.main, viewer.id) : undefined;
      const values = stored === undefined ? typed.values : textsOf(TEXTS, stored);
      const { id, profile_image } = viewer;
      return (
        <>
          <p>
            <Avatar of={{ kind: "user", id, profile_image }} side={128} />
          </p>
          <Form action={PATH} typed={{ ...typed, values }} fields={FIELDS} submit="Save" />
        </>
      );
    },
    submit(visit, form) {
      const edit = { id: visit.viewer.id, change: textsOf(TEXTS, form.values) };
      const to = doneAt(PATH, "saved");
      return editWithPicture(visit, form, (actor, picture) => users.edit(actor, { ...edit, picture }), to);
    },
  });
}

type EditVerb = (actor: Author<Edited>, picture: string | null | undefined) => Promise<Edited>;

/** Changes a profile by a form with the fields of a picture, which goes where the profile is refused. */
export async function editWithPicture(
  visit: MemberVisit,
  { values, files }: Pick<PageForm, "values" | "files">,
  verb: EditVerb,
  to: string,
): Promise<undefined> {
  const { db, files: store, images } = visit.services;
  let edited: Edited = { changed: false, replaced: null };
  const edit = async (picture?: string | null) => {
    await runForm<Edited>(visit, async (actor) => (edited = await verb(actor, picture)), { to });
    return edited;
  };
  const image = pictureIn(files.get("profile_image"));
  if (image !== undefined)
    return profilePicture.replace({ db: db.main, files: store, images }, image, edit).then(() => undefined);
  const { replaced } = await edit(values["remove_image"] === "1" ? null : undefined);
  await profilePicture.remove({ db: db.main, files: store }, replaced);
  return undefined;
}

/** A browser sends an empty file when none is chosen. */
export function pictureIn([image, another]: Buffer[] = []): Buffer | undefined {
  if (another !== undefined) throw invalid("Picture was sent twice: send one image");
  return image === undefined || image.length === 0 ? undefined : image;
}

/** The texts of these fields, whether they come from a row or from a form. */
export function textsOf<Name extends string>(
  fields: Readonly<Record<Name, unknown>>,
  texts: { [Each in NoInfer<Name>]?: string | null },
): Record<Name, string> {
  const names = Object.keys(fields) as Name[];
  return Object.fromEntries(names.map((name) => [name, texts[name] ?? ""])) as Record<Name, string>;
}
