import { SIDE } from "./portrait.ts";
import { at, box, C, disc, line, shape, svg } from "./svg.ts";

export const ORGANIZATIONS: Record<string, string> = {
  tinker_lab: svg(
    box([0, 0, SIDE, SIDE], C.navy) +
      at(
        100,
        100,
        box([-11, -50, 22, 104], "#c5d3da", 6) +
          disc(0, -58, 30, "#c5d3da") +
          shape("M-11 -92 H11 V-60 L0 -50 L-11 -60 Z", C.navy),
        { turn: -40 },
      ) +
      at(
        100,
        100,
        box([-5, -76, 10, 74], "#fdfcf9", 3) +
          box([-15, -4, 30, 76], C.red, 12) +
          line("M-5 10 V56 M5 10 V56", "#8c2f22", 3),
        { turn: 40 },
      ) +
      disc(100, 100, 9, "#f0c24b"),
    SIDE,
    SIDE,
  ),
  slow_letters: svg(
    box([0, 0, SIDE, SIDE], "#dcb06a") +
      box([24, 52, 152, 104], C.paper, 6) +
      line("M27 58 L88 106 Q100 115 112 106 L173 58", "#b79a66", 6) +
      line("M27 151 L76 108 M173 151 L124 108", "#d8c7a0", 5) +
      disc(100, 112, 25, C.red) +
      disc(100, 112, 17, "#c9604f") +
      line("M92 120 Q94 104 108 102 Q106 116 92 120 Z M92 120 L88 124", C.paper, 4),
    SIDE,
    SIDE,
  ),
};
