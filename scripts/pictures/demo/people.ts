import { portrait } from "./portrait.ts";
import { at, box, C, disc, line, shape, times } from "./svg.ts";

const glasses = (stroke: string) =>
  line(
    "M72 97 a13 13 0 1 0 26 0 a13 13 0 1 0 -26 0 M102 97 a13 13 0 1 0 26 0 a13 13 0 1 0 -26 0 M98 95 Q100 92 102 95",
    stroke,
    4,
  );

const STRAW = "#e8c677";
const BLACK = "#1d1b22";
const WHITE = C.paper;

export const PEOPLE: Record<string, string> = {
  mara_lindqvist: portrait({
    ground: "#b9d2de",
    skin: "#f6d5be",
    blush: "#e9a994",
    clothes: C.red,
    behind: disc(100, 32, 24, "#e9c264"),
    over:
      shape(
        "M58 100 C52 58 74 36 100 36 C126 36 148 58 142 100 C136 82 130 70 114 64 C96 74 74 70 68 82 C62 88 60 94 58 100 Z",
        "#e9c264",
      ) +
      line("M84 22 Q100 36 116 22", "#c79c3f", 4) +
      glasses(C.navy),
    below: line("M100 160 V204", WHITE, 5) + disc(100, 176, 4, C.navy) + disc(100, 192, 4, C.navy),
  }),
  vera_sokolova: portrait({
    ground: "#f0c24b",
    skin: "#f2cbb0",
    blush: "#dd9c85",
    clothes: "#3a5f8f",
    behind: shape("M60 84 C56 140 70 152 62 164 H138 C130 152 144 140 140 84 Z", "#5b2f22"),
    over:
      shape("M56 86 C54 44 76 28 100 28 C124 28 146 44 144 86 C126 66 74 66 56 86 Z", C.red) +
      shape("M138 66 L172 48 L166 72 L176 88 L144 82 Z", C.red) +
      times(5, (index) => disc(70 + index * 15, [64, 52, 44, 52, 64][index] ?? 0, 3.5, WHITE)) +
      line("M120 122 l10 -5 M122 127 l9 -4", C.slate, 3),
    below:
      box([62, 158, 12, 46], "#2b4669") +
      box([126, 158, 12, 46], "#2b4669") +
      box([72, 178, 56, 30], "#2b4669", 4),
  }),
  hanako_yamada: portrait({
    ground: "#eeb6ae",
    skin: "#f5d8bb",
    blush: "#e8a58f",
    clothes: "#28406f",
    behind: shape(
      "M52 92 C48 40 74 26 100 26 C126 26 152 40 148 92 V142 C148 150 138 152 130 152 H70 C62 152 52 150 52 142 Z",
      BLACK,
    ),
    over: shape("M58 96 C58 50 76 34 100 34 C124 34 142 50 142 96 L134 84 H66 Z", BLACK),
    below:
      line("M82 150 L104 180 M118 150 L86 196", WHITE, 6) +
      times(6, (index) =>
        at(
          44 + (index % 3) * 12 + (index > 2 ? 92 : 0),
          178 + (index % 2) * 14,
          line("M-4 0 H4 M0 -4 V4", WHITE, 2.5),
        ),
      ),
  }),
  ines_carvalho: portrait({
    ground: "#d47b52",
    skin: "#e9b88d",
    blush: "#cf8764",
    clothes: "#f3ead7",
    behind:
      times(9, (index) =>
        disc(
          100 + 50 * Math.cos((index * Math.PI) / 8),
          100 - 34 * Math.sin((index * Math.PI) / 8) + 4,
          22,
          "#4a2a1c",
        ),
      ) +
      disc(54, 124, 18, "#4a2a1c") +
      disc(146, 124, 18, "#4a2a1c"),
    over:
      shape("M62 70 C40 60 44 26 70 28 C76 8 124 8 130 28 C156 26 160 60 138 70 Z", WHITE) +
      box([62, 62, 76, 16], "#e4dccb", 4) +
      line("M84 34 V56 M100 30 V56 M116 34 V56", "#d5cbb6", 3),
    below: line("M70 158 L80 204 M130 158 L120 204", "#c9b78f", 5),
  }),
  amara_okafor: portrait({
    ground: "#2c6e63",
    skin: "#7a4a2e",
    blush: "#99583a",
    clothes: "#e9a23b",
    over:
      shape("M54 82 C36 40 66 8 104 14 C150 6 172 44 146 82 C128 62 74 62 54 82 Z", "#e9a23b") +
      line(
        "M58 68 C74 40 120 30 146 40 M70 34 C100 30 138 50 148 72 M92 18 C118 24 140 34 150 54",
        "#8c2f4d",
        7,
      ) +
      shape("M120 26 C140 2 168 8 164 30 C158 46 136 46 120 26 Z", "#8c2f4d") +
      line("M58 118 a9 9 0 1 0 1 0 M142 118 a9 9 0 1 0 1 0", "#f5d45e", 4.5),
    below: line("M54 176 Q100 204 146 176", "#8c2f4d", 8),
  }),
  lukas_brandt: portrait({
    ground: "#7c9a5e",
    skin: "#f1c5a6",
    blush: "#dd9277",
    clothes: "#4b6a88",
    over:
      shape(
        "M62 104 C66 118 76 112 86 108 Q100 102 114 108 C124 112 134 118 138 104 C142 146 122 164 100 164 C78 164 58 146 62 104 Z",
        "#a8522c",
      ) +
      line("M88 122 Q100 130 112 122", "#5d2814", 4.5) +
      shape("M66 62 C66 24 80 18 100 18 C120 18 134 24 134 62 Z", STRAW) +
      shape("M22 74 C40 54 70 56 100 56 C130 56 160 54 178 74 C150 84 50 84 22 74 Z", STRAW) +
      line("M66 56 Q100 64 134 56", C.red, 8) +
      line("M40 72 Q100 80 160 72", "#c79c4a", 3),
    below: line("M56 164 V204 M144 164 V204", "#35506a", 9),
    mouth: "",
  }),
  chloe_lefevre: portrait({
    ground: "#f2e3c6",
    skin: "#f8dac6",
    blush: "#efa893",
    clothes: "#2f4a86",
    behind: shape(
      "M58 74 C34 104 54 122 42 160 C58 174 74 166 78 150 H122 C126 166 142 174 158 160 C146 122 166 104 142 74 Z",
      "#c9542b",
    ),
    over:
      shape(
        "M57 96 C50 52 72 30 104 32 C136 32 150 56 143 96 C138 74 124 66 92 60 C84 74 64 76 57 96 Z",
        "#c9542b",
      ) +
      line("M60 66 Q98 40 142 62", "#2f4a86", 10) +
      [73, 80, 120, 127]
        .map((x, index) => disc(x, [106, 113, 113, 106][index] ?? 0, 1.8, "#c9703f"))
        .join(""),
    below:
      shape("M82 148 L60 166 L90 182 L100 164 L110 182 L140 166 L118 148 Z", WHITE) +
      disc(100, 190, 4, WHITE),
  }),
  diego_ibanez: portrait({
    ground: "#4fb0a5",
    skin: "#c68a5c",
    blush: "#a9683f",
    clothes: "#d9c79a",
    over:
      shape(
        "M60 86 C54 40 84 22 112 26 C146 22 150 60 140 86 C136 70 128 66 116 64 C98 66 84 58 74 66 C66 72 62 78 60 86 Z",
        BLACK,
      ) +
      shape(
        "M76 122 C80 110 92 110 100 115 C108 110 120 110 124 122 C116 126 108 122 100 121 C92 122 84 126 76 122 Z",
        BLACK,
      ) +
      line("M76 84 Q84 78 92 84 M108 84 Q116 78 124 84", BLACK, 4.5),
    below:
      line("M100 158 V204", "#b8a276", 4) +
      line("M82 152 L100 184 L118 152", "#7a4a2e", 4) +
      disc(100, 186, 13, "#e3b23c") +
      line("M96 192 L104 180", C.red, 5),
    mouth: "M92 130 Q100 135 108 130",
  }),
  li_wei: portrait({
    ground: "#dfe8b4",
    skin: "#f4d3b0",
    blush: "#e79f86",
    clothes: "#f0f4e2",
    behind: disc(52, 64, 24, BLACK) + disc(148, 64, 24, BLACK),
    over:
      shape(
        "M58 100 C54 54 74 36 100 36 C126 36 146 54 142 100 C138 78 122 64 100 56 C78 64 62 78 58 100 Z",
        BLACK,
      ) + line("M62 44 L76 58 M138 44 L124 58", C.red, 7),
    below:
      line("M84 152 Q100 170 116 152", "#3f7d54", 7) +
      line("M100 206 V182 M100 196 Q88 190 86 176 M100 196 Q112 190 114 176", "#3f7d54", 6),
  }),
  yusuf_haddad: portrait({
    ground: "#6f83b8",
    skin: "#d9a577",
    blush: "#bb7d54",
    clothes: "#8d6a4a",
    over:
      shape(
        "M62 98 C66 112 78 112 86 114 Q100 108 114 114 C122 112 134 112 138 98 C140 138 122 150 100 150 C78 150 60 138 62 98 Z",
        "#3a3632",
      ) +
      line("M90 126 Q100 132 110 126", "#d99a82", 4.5) +
      shape("M62 74 C62 36 80 28 100 28 C120 28 138 36 138 74 C120 66 80 66 62 74 Z", WHITE) +
      line("M64 66 Q100 56 136 66", "#cfc6b2", 4) +
      at(
        146,
        80,
        box([-5, -34, 10, 62], "#e8b53a", 2) +
          shape("M-5 28 H5 L0 40 Z", "#f3ddb4") +
          box([-5, -34, 10, 9], C.red, 2),
        { turn: 24 },
      ) +
      line("M76 84 Q84 79 92 84 M108 84 Q116 79 124 84", "#3a3632", 4.5),
    below: line("M82 150 L100 176 L118 150", "#f3ead7", 6),
    mouth: "",
  }),
  priya_raman: portrait({
    ground: "#8f6aa8",
    skin: "#a86f45",
    blush: "#8a4f2f",
    clothes: "#e4577a",
    behind: shape("M56 90 C52 40 76 30 100 30 C124 30 148 40 144 90 V130 H56 Z", "#231a1e"),
    over:
      shape(
        "M58 94 C58 54 78 40 100 44 C122 40 142 54 142 94 C136 74 120 66 100 50 C80 66 64 74 58 94 Z",
        "#231a1e",
      ) +
      disc(100, 72, 4, C.red) +
      shape(
        "M140 122 C160 136 154 168 148 196 C140 200 132 196 134 188 C140 164 140 142 130 132 Z",
        "#231a1e",
      ) +
      line("M137 152 L152 148 M136 168 L151 166", "#f0c24b", 5) +
      line("M52 92 C48 10 152 10 148 92", "#f5e9d0", 8) +
      box([42, 82, 20, 38], "#f0c24b", 9) +
      box([138, 82, 20, 38], "#f0c24b", 9),
    below: line("M60 160 Q92 196 140 204", "#f0c24b", 6),
  }),
  mina_park: portrait({
    ground: "#f6a95c",
    skin: "#f6d6b8",
    blush: "#ec9d86",
    clothes: "#f6eedd",
    behind: shape(
      "M56 84 C52 124 56 138 50 146 C66 150 76 144 80 138 H120 C124 144 134 150 150 146 C144 138 148 124 144 84 Z",
      "#2d4fa3",
    ),
    over:
      shape("M62 92 C64 78 76 72 86 76 C94 70 108 78 116 74 C128 72 136 80 138 92 L142 70 H58 Z", "#2d4fa3") +
      shape("M56 74 C52 30 76 20 100 20 C124 20 148 30 144 74 Z", "#c8385a") +
      box([52, 60, 96, 20], "#e9859b", 9) +
      line("M66 63 V77 M80 63 V77 M94 63 V77 M108 63 V77 M122 63 V77 M136 63 V77", "#c8385a", 3) +
      disc(100, 16, 15, WHITE),
    below:
      line("M66 164 l8 9 l8 -9 l9 9 l9 -9 l9 9 l9 -9 l8 9 l8 -9", "#2d4fa3", 5) +
      line("M42 188 l10 9 l10 -9 l10 9 l10 -9 l9 9 l9 -9 l9 9 l9 -9 l10 9 l10 -9 l10 9 l10 -9", "#c8385a", 5),
  }),
};
