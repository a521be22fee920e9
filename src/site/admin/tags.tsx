import { aliasTag } from "../../community/moderation/tags.ts";
import * as editing from "../../community/tags/editing.ts";
import * as tags from "../../community/tags/tags.ts";
import { ADMIN } from "../../platform/paths.ts";
import { textsOf } from "../account/profile.tsx";
import type { Forms } from "../forms.tsx";
import { counted } from "../kit/components.tsx";
import type { FormFields } from "../kit/forms.tsx";
import { type Act, listRoute, running, thingRoute } from "../staff/kit.tsx";

const PATH = `${ADMIN}/tags`;

type Tag = NonNullable<Awaited<ReturnType<typeof tags.findForStaff>>>;

const LOOK = {
  short_summary: { label: "Description", kind: "textarea", maxLength: 2_000 },
  bg_color_hex: { label: "Colour behind the name", maxLength: 7, hint: "Such as #f7df1e. Empty: none." },
  text_color_hex: { label: "Colour of the name", maxLength: 7, hint: "Such as #000000. Empty: none." },
} as const satisfies FormFields;
const INTO = {
  merge_into: { label: "Merge into the tag", maxLength: 100, hint: "This name becomes an alias of it." },
};
const ALIAS = {
  alias: { label: "New alias", maxLength: 100, hint: "Another name of this tag, which may be in use." },
};

const isTag = ({ preferred }: Tag) => preferred === null;

const ACTS: Record<string, Act<Tag>> = {
  edit: {
    label: "Save",
    fields: LOOK,
    isFor: isTag,
    values: (tag) => textsOf(LOOK, tag),
    submit: running((actor, { of: { name }, values }) => {
      const { short_summary, bg_color_hex, text_color_hex } = values;
      return editing.edit(actor, { name, change: { short_summary, bg_color_hex, text_color_hex } });
    }),
  },
  merge: {
    label: "Merge",
    fields: INTO,
    isFor: isTag,
    submit: running((actor, { of: { name }, values }) =>
      aliasTag(actor, { name, of: values["merge_into"] ?? "", mustExist: true }),
    ),
  },
  alias: {
    label: "Add the alias",
    fields: ALIAS,
    isFor: isTag,
    submit: running((actor, { of, values }) => aliasTag(actor, { name: values["alias"] ?? "", of: of.name })),
  },
  own: {
    label: "Make it a tag of its own",
    isFor: (tag) => !isTag(tag),
    submit: running((actor, { of }) => editing.removeAlias(actor, of.name)),
  },
};

export function tagRoutes(forms: Forms): void {
  listRoute(forms, PATH, {
    title: "Tags",
    search: "Beginning of the name",
    async rows(db, { q, after, limit }) {
      const rows = await tags.listForStaff(db, { q: tags.nameOf(q) ?? "", after, limit });
      return rows.map(({ name, preferred, articles_count }) => ({
        key: name,
        name: `#${name}`,
        href: `${PATH}/${encodeURIComponent(name)}`,
        notes: [preferred === null ? counted(articles_count, "article") : `alias of #${preferred}`],
      }));
    },
  });
  thingRoute<Tag>(forms, `${PATH}/:key`, {
    isFor: "admins",
    find: ({ services, params }) => tags.findForStaff(services.db.main, tags.nameOf(params.key) ?? ""),
    title: ({ name }) => `#${name}`,
    body: ({ preferred }) => preferred !== null && <p>It is an alias of #{preferred}.</p>,
    acts: ACTS,
  });
}
