import { table } from "./report.ts";

/** A result that is one number. */
export interface Figure {
  name: string;
  value: number;
  unit: "ms" | "s" | "MiB" | "%" | "articles/s";
  /** The limit that a run must keep. */
  atMost?: number;
}

export function figuresTable(figures: readonly Figure[], judges: boolean): string {
  const rows = figures.map((figure) => {
    const { name, value, unit, atMost } = figure;
    const result = `${show(value)} ${unit}`;
    if (atMost === undefined || !judges) return [name, result, "", ""];
    return [name, result, `${show(atMost)} ${unit}`, holds(figure) ? "holds" : "EXCEEDS"];
  });
  return table(["Also", "Result", "at most", "Verdict"], rows);
}

export function faultsOfFigures(figures: readonly Figure[]): string[] {
  return figures
    .filter((figure) => !holds(figure))
    .map(({ name, value, unit, atMost = 0 }) => {
      return `${name}: ${show(value)} ${unit}, but at most ${show(atMost)} ${unit} are allowed.`;
    });
}

function holds({ value, atMost = Infinity }: Figure): boolean {
  return value <= atMost;
}

function show(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });
}
