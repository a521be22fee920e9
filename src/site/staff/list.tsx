import type { ComponentChildren } from "preact";
import { APPLICATIONS, MODERATION, personPath } from "../../platform/paths.ts";
import type { OwnPage } from "../forms.tsx";
import { Pager, Tabs } from "../kit/components.tsx";
import type { Place } from "../kit.tsx";

interface StaffPage {
  title: string;
  /** The address of the tab. */
  at: string;
  /** People who ask to join. */
  waiting?: number;
  /** What has become of an act. */
  done?: string | undefined;
  place?: Partial<Place>;
  body: ComponentChildren;
}

const DONE: Record<string, string> = { yes: "Done.", meanwhile: "Someone else has done it already." };

/** A page of moderators: tabs, what has just been done, a list and its pages. */
export const staffPage = ({ title, at, waiting, done = "", place = {}, body }: StaffPage): OwnPage => ({
  ...place,
  title,
  body: (
    <div class="narrow flow">
      {DONE[done] && (
        <p class="done" role="status">
          {DONE[done]}
        </p>
      )}
      <h1 class="page-title">{title}</h1>
      <Tabs
        label="Moderation"
        wraps
        tabs={[
          { label: "Reports", href: MODERATION },
          { label: "New texts", href: `${MODERATION}/new` },
          { label: "Log", href: `${MODERATION}/log` },
          { label: `Applications${waiting ? ` (${waiting})` : ""}`, href: APPLICATIONS },
        ].map((tab) => ({ ...tab, isCurrent: tab.href === at }))}
      />
      {body}
      <Pager prev={place.prev} next={place.next} />
    </div>
  ),
});

interface ActFormProps {
  on: { kind: string; id: number };
  /** The acts with the words of their buttons. */
  acts: Readonly<Record<string, string>>;
  back: string;
  children?: ComponentChildren;
}

/** The buttons of a row, which share a reason. */
export function ActForm({ on: { kind, id }, acts, back, children }: ActFormProps) {
  const field = `reason-${kind}-${id}-${Object.keys(acts).join("-")}`;
  return (
    <form method="post" class="acts field">
      <input type="hidden" name="back" value={back} />
      <label class="small" for={field}>
        Reason
      </label>
      <input id={field} name="reason" type="text" maxLength={1_000} />
      {children}
      {Object.entries(acts).map(([act, label]) => (
        <button class="button" formaction={`${MODERATION}/${kind}/${id}/${act}`}>
          {label}
        </button>
      ))}
    </form>
  );
}

export const Person = ({ id, username }: { id: number; username: string }) => (
  <a href={personPath(id)}>@{username}</a>
);
