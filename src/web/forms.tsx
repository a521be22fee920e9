interface FieldProps {
  name: string;
  value?: string | undefined;
  maxLength?: number | undefined;
  label: string;
  hint?: string | undefined;
  fault?: string | undefined;
}

/** A labelled input; a fault stands beside it and is read with it. */
export function Field({ name, label, hint, fault, ...input }: FieldProps) {
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  return (
    <div class={fault === undefined ? "field" : "field faulty"}>
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
      <input
        id={name}
        name={name}
        {...(described !== "" && { "aria-describedby": described })}
        {...(fault !== undefined && { "aria-invalid": true })}
        {...input}
      />
    </div>
  );
}

/** Stands at the top of a form that was refused: each fault leads to its field. */
export function ErrorSummary({ faults }: { faults: readonly { field: string; sentence: string }[] }) {
  if (faults.length === 0) return null;
  return (
    <div class="error-summary" role="alert" tabIndex={-1} aria-labelledby="error-summary">
      <h2 id="error-summary">There is a problem</h2>
      <ul>
        {faults.map(({ field, sentence }) => (
          <li>
            <a href={`#${field}`}>{sentence}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
