import { encode } from "uqr";

/** Scanners need this many modules around the code. */
const BORDER = 4;
const MODULE_PX = 4;

/** Black on white in every theme, as scanners expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: BORDER });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  const side = size * MODULE_PX;
  return (
    <svg role="img" aria-label={label} width={side} height={side} viewBox={`0 0 ${size} ${size}`}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" shape-rendering="crispEdges" d={dark.join("")} />
    </svg>
  );
}
