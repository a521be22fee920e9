import { Type } from "typebox";
import { idCode } from "../community/comments/id-codes.ts";
import { type Act, type ActName, ACTS, pressedBy, type Shown } from "../community/taking-part/taking-part.ts";
import { HOME, ownPath } from "../platform/paths.ts";
import type { Viewer } from "../http/actor.ts";
import { narrowPage } from "./account/parts.tsx";
import { type Forms, isOfScript, type OwnPage, runForm } from "./forms.tsx";
import { Icon } from "./kit/components.tsx";
import type { Typed } from "./kit/forms.tsx";
import type { IconName } from "./kit/icons.ts";
import type { Visit } from "./kit.tsx";

interface Label {
  label: string;
  /** The label that takes it back, where one label with a mark wouldn't say that. */
  undo?: string;
  icon?: IconName;
  /** Whether the icon alone says it, beside its name for those who don't see it. */
  isIcon?: boolean;
}

const LABELS: Record<ActName, Label> = {
  like: { label: "Like", icon: "heart", isIcon: true },
  unicorn: { label: "Unicorn", icon: "sparkles", isIcon: true },
  exploding_head: { label: "Exploding head", icon: "bomb", isIcon: true },
  raised_hands: { label: "Raised hands", icon: "hand", isIcon: true },
  fire: { label: "Fire", icon: "flame", isIcon: true },
  readinglist: { label: "Save", icon: "bookmark" },
  archive: { label: "Archive", undo: "Move back" },
  remove: { label: "Remove", undo: "Save again" },
  "like-comment": { label: "Like", icon: "heart", isIcon: true },
  "hide-comment": { label: "Hide", undo: "Show" },
  "follow-user": { label: "Follow" },
  "follow-organization": { label: "Follow" },
  "follow-tag": { label: "Follow" },
};
const REACTIONS = ["like", "unicorn", "exploding_head", "raised_hands", "fire"] as const;

interface ActProps {
  act: ActName;
  id: number;
  pressed: boolean;
  count?: number | undefined;
  /** What it is about, where the page has several buttons with this label. */
  of?: string | undefined;
}

/** A button that does an act, or takes it back, by the form of its page. */
export function ActButton({ act, id, pressed, count = 0, of }: ActProps) {
  const { label, undo, icon, isIcon = false } = LABELS[act];
  return (
    <button
      class="act"
      id={`${act}-${id}`}
      form="acts"
      formaction={`/take-part/${act}/${id}`}
      name="on"
      value={pressed ? "0" : "1"}
      {...(!undo && { "aria-pressed": pressed })}
      {...(isIcon && { title: label })}
    >
      {icon && <Icon name={icon} />}
      <span class={isIcon ? "visually-hidden" : undefined}>
        {pressed && undo ? undo : label}
        {of && <span class="visually-hidden"> {of}</span>}
      </span>
      {count > 0 && <span class="number">{count.toLocaleString("en")}</span>}
    </button>
  );
}

interface ArticleActsProps {
  id: number;
  counts: Partial<Record<string, number>>;
  pressed: ReadonlySet<string>;
}

export function ArticleActs({ id, counts, pressed }: ArticleActsProps) {
  return (
    <div class="acts no-print">
      {([...REACTIONS, "readinglist"] as const).map((act) => (
        <ActButton
          act={act}
          id={id}
          pressed={pressed.has(`${act} ${id}`)}
          count={act === "readinglist" ? undefined : counts[act]}
        />
      ))}
    </div>
  );
}

interface FollowProps {
  kind: "user" | "organization" | "tag";
  id: number;
  name: string;
  pressed: ReadonlySet<string>;
  viewer?: Viewer | null | undefined;
}

/** Members don't follow themselves. */
export const Follow = ({ kind, id, name, pressed, viewer }: FollowProps) =>
  kind === "user" && viewer?.id === id ? null : (
    <ActButton act={`follow-${kind}`} id={id} pressed={pressed.has(`follow-${kind} ${id}`)} of={name} />
  );

/** The form of a page's buttons. Without a script they lead back to `back`. */
export const Acts = ({ back }: { back: string }) => (
  <form id="acts" method="post" data-enhance>
    <input type="hidden" name="back" value={back} />
  </form>
);

/** Which buttons of a page its reader has pressed, in one statement. A stranger has pressed none. */
export async function pressedIn({ site, services }: Visit, shown: Shown): Promise<ReadonlySet<string>> {
  return site.viewer ? pressedBy(services.db.main, site.viewer.id, shown) : new Set();
}

const Params = Type.Object({
  act: Type.Enum(Object.keys(ACTS) as ActName[]),
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export function actRoutes(forms: Forms): void {
  forms.member("/take-part/:act/:id", {
    fields: {},
    params: Params,
    asksToSignIn: true,
    show: async (_, typed) =>
      typed.faults.length === 0 ? { to: HOME } : refused(typed, ownPath(typed.values["back"])),
    submit(visit, { values }) {
      const { params, services, request } = visit;
      const { act, id } = params;
      const { turn, count, unseen }: Act = ACTS[act];
      const place = act.endsWith("-comment") ? `#comment-${idCode(id)}` : "";
      const pressed = values["on"] !== "0";
      // A form that is sent again after a sign-in leads to its page.
      const isShownAlone = isOfScript(request) && values["action"] === undefined && !LABELS[act].undo;
      let now: number | undefined;
      const button = () => <ActButton act={act} id={id} pressed={pressed} count={now} />;
      return runForm<boolean>(
        visit,
        async (actor) => {
          const isChange = await turn(actor, id, pressed);
          if (isShownAlone) now = await count?.(services.db.main, id);
          return isChange;
        },
        {
          to: ownPath(values["back"]) + place,
          ...(unseen && { unseen }),
          ...(isShownAlone && { end: () => ({ title: "", body: button() }) }),
        },
      );
    },
  });
}

const refused = (typed: Typed, back: string): OwnPage =>
  narrowPage({
    title: "Not done",
    typed,
    body: (
      <p>
        <a class="button" href={back}>
          Back
        </a>
      </p>
    ),
  });
