import type { ComponentChildren } from "preact";

/** A field of a form as a page shows it. What comes back may be a little longer than `maxLength`: the rules of the field decide. */
export interface FormField {
  label: string;
  /** Stands before the first field of a group. */
  heading?: string | undefined;
  hint?: ComponentChildren;
  kind?:
    | "text"
    | "email"
    | "url"
    | "date"
    | "password"
    | "textarea"
    | "select"
    | "radio"
    | "checkbox"
    | "file";
  autocomplete?: string;
  inputmode?: "email" | "url" | "numeric";
  maxLength?: number;
  required?: boolean;
  /** The values of a choice with their words. */
  options?: Readonly<Record<string, string>>;
  /** The types of a file. */
  accept?: string;
  rows?: number;
  /** The address that tells a script the fault of a value while it is typed. */
  check?: string | undefined;
}

export type FormFields = Record<string, FormField>;

export interface FieldFault {
  /** Undefined for a fault of the whole form. */
  field: string | undefined;
  sentence: string;
}

/** The values of a form: the first ones, or those that were sent and refused. */
export interface Typed {
  values: Readonly<Record<string, string>>;
  faults: readonly FieldFault[];
  /** Makes one that is sent twice have one effect; a stranger's has none. */
  token?: string | undefined;
}

type FieldProps = FormField & { name: string; value?: string | undefined; fault?: string | undefined };

/**
 * A field with its label; a fault stands beside it and is read with it. Where a script tells faults, their place is there
 * before their words, so that they are read aloud.
 */
export function Field({ name, label, hint, fault, value, ...field }: FieldProps) {
  const isLive = field.check !== undefined;
  const described = [hint && `${name}-hint`, (fault || isLive) && `${name}-fault`].filter(Boolean).join(" ");
  const shared = {
    id: name,
    name,
    ...(described !== "" && { "aria-describedby": described }),
    ...(fault !== undefined && { "aria-invalid": true }),
    "data-check": field.check,
  };
  const isChoice = field.kind === "radio";
  const words = (
    <>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {(fault !== undefined || isLive) && (
        <p class="fault" id={`${name}-fault`} aria-live={isLive ? "polite" : undefined}>
          {fault}
        </p>
      )}
    </>
  );
  const kind = fault === undefined ? "field" : "field faulty";
  if (isChoice)
    return (
      <fieldset class={kind} aria-describedby={shared["aria-describedby"]}>
        <legend>{label}</legend>
        {words}
        <Radios name={name} value={value} options={field.options ?? {}} />
      </fieldset>
    );
  if (field.kind === "checkbox")
    return (
      <div class={`${kind} check`}>
        <input type="checkbox" value="1" checked={value === "1"} {...shared} />
        <label for={name}>{label}</label>
        {words}
      </div>
    );
  return (
    <div class={kind}>
      <label for={name}>{label}</label>
      {words}
      <Control {...field} value={value} shared={shared} />
    </div>
  );
}

interface ControlProps extends Omit<FormField, "label" | "hint"> {
  value: string | undefined;
  shared: { id: string; name: string };
}

function Control({ kind = "text", value, shared, options = {}, rows = 4, ...rest }: ControlProps) {
  const { maxLength, required, autocomplete, inputmode, accept } = rest;
  const typing = { ...shared, required, autocomplete, ...(maxLength !== undefined && { maxLength }) };
  if (kind === "textarea")
    // A parser of HTML drops the first line end.
    return <textarea {...typing} rows={rows}>{`\n${value ?? ""}`}</textarea>;
  if (kind === "select")
    return (
      <select {...shared}>
        {Object.entries(options).map(([each, words]) => (
          <option value={each} selected={each === value}>
            {words}
          </option>
        ))}
      </select>
    );
  if (kind === "file") return <input type="file" {...shared} accept={accept} />;
  if (kind !== "password")
    return (
      <input {...typing} {...({ type: kind } as { type: "text" })} value={value} inputmode={inputmode} />
    );
  return (
    <span class="password">
      <input type="password" {...typing} />
      <button type="button" class="button" data-show-password aria-controls={shared.id} hidden>
        Show
      </button>
    </span>
  );
}

interface RadiosProps {
  name: string;
  value: string | undefined;
  options: Readonly<Record<string, string>>;
}

/** The first has the id of the field, to which faults lead. */
function Radios({ name, value, options }: RadiosProps) {
  return Object.entries(options).map(([each, words], index) => {
    const id = index === 0 ? name : `${name}-${each}`;
    return (
      <p class="check">
        <input type="radio" id={id} name={name} value={each} checked={each === value} />
        <label for={id}>{words}</label>
      </p>
    );
  });
}

/** Stands at the top of a form that was refused: each fault leads to its field. */
export function ErrorSummary({ faults }: { faults: readonly FieldFault[] }) {
  if (faults.length === 0) return null;
  return (
    <div class="error-summary" role="alert" tabIndex={-1} autofocus aria-labelledby="error-summary">
      <h2 id="error-summary">There is a problem</h2>
      <ul>
        {faults.map(({ field, sentence }) => (
          <li>{field === undefined ? sentence : <a href={`#${field}`}>{sentence}</a>}</li>
        ))}
      </ul>
    </div>
  );
}

export function FormToken({ typed: { token } }: { typed: Typed }) {
  return token === undefined ? null : <input type="hidden" name="form_token" value={token} />;
}

interface FormProps {
  action: string;
  typed?: Typed;
  /** A form of a button alone has none. */
  fields?: FormFields;
  /** The words of the button. */
  submit: string;
  /** Sent along, as where a reader goes next. */
  hidden?: Readonly<Record<string, string | undefined>>;
  /** Stands before the button. */
  children?: ComponentChildren;
  /** Stands after it. */
  after?: ComponentChildren;
  /** A text of the reader's own: the browser keeps it under this name until the server has it, and leads to its page itself. */
  draft?: string;
}

const NOTHING: Typed = { values: {}, faults: [] };

/** A whole form, with what was typed into it and the faults of that. */
export function Form({
  action,
  typed = NOTHING,
  fields = {},
  submit,
  hidden = {},
  children,
  after,
  draft,
}: FormProps) {
  const hasFile = Object.values(fields).some(({ kind }) => kind === "file");
  return (
    <form
      class="form"
      method="post"
      action={action}
      noValidate
      data-enhance={draft === undefined && hidden["action"] === undefined ? true : undefined}
      data-draft={draft}
      {...(hasFile && { enctype: "multipart/form-data" })}
    >
      <FormToken typed={typed} />
      {Object.entries(hidden).map(
        ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />,
      )}
      {Object.entries(fields).map(([name, field]) => (
        <>
          {field.heading !== undefined && <h2>{field.heading}</h2>}
          <Field
            name={name}
            {...field}
            value={typed.values[name]}
            fault={typed.faults.find((fault) => fault.field === name)?.sentence}
          />
        </>
      ))}
      {children}
      <p class="spaced">
        <button class="button strong">{submit}</button> {after}
      </p>
    </form>
  );
}
