import type { Operation, Parameter } from "./document.ts";
import { sampleOf } from "./samples.ts";

/** A form that the script sends; it stays hidden without one. */
export function TryIt({ operation }: { operation: Operation }) {
  const { path, parameters, security } = operation;
  const sample = sampleOf(operation);
  const isFilled = ({ in: place, name }: Parameter) =>
    place === "path" || new URL(sample.path, "http://localhost").searchParams.has(name);
  return (
    <form class="try-it" data-send={path} hidden>
      <details>
        <summary>Try it</summary>
        {parameters
          .filter(({ in: place }) => place !== "header")
          .map((one) => (
            <label>
              <span>{one.name}</span>
              <input
                name={one.name}
                data-in={one.in}
                {...(isFilled(one) ? { value: one.example } : { placeholder: String(one.example) })}
                required={one.required}
              />
            </label>
          ))}
        {security.includes("apiKey") && (
          <label>
            <span>api-key</span>
            <input type="password" data-in="key" autocomplete="off" required={sample.needsKey} />
          </label>
        )}
        <button class="button strong">Send</button>
        <output aria-live="polite" />
      </details>
    </form>
  );
}
