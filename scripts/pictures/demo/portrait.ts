import { box, C, disc, line, shape, svg } from "./svg.ts";

export const SIDE = 200;

interface Face {
  ground: string;
  skin: string;
  /** The shade of the skin on the cheeks. */
  blush: string;
  clothes: string;
  /** Behind the head. */
  behind?: string;
  /** Over the face, such as hair and hats. */
  over: string;
  /** Over the clothes. */
  below?: string;
  mouth?: string;
}

const SHOULDERS = "M18 204 C20 166 58 156 82 150 H118 C142 156 180 166 182 204 Z";
const SMILE = "M88 119 Q100 130 113 118";

export function portrait({
  ground,
  skin,
  blush,
  clothes,
  behind = "",
  over,
  below = "",
  mouth = SMILE,
}: Face): string {
  const eyes = disc(85, 97, 4.6, C.ink) + disc(115, 97, 4.6, C.ink);
  const cheeks = disc(77, 111, 7.5, blush) + disc(123, 111, 7.5, blush);
  return svg(
    box([0, 0, SIDE, SIDE], ground) +
      behind +
      shape(SHOULDERS, clothes) +
      below +
      shape("M85 128 H115 V152 Q100 168 85 152 Z", blush) +
      shape(
        "M63 92 C63 58 78 46 100 46 C122 46 137 58 137 92 C137 124 120 142 100 142 C80 142 63 124 63 92 Z",
        skin,
      ) +
      cheeks +
      eyes +
      line("M101 98 Q107 107 99 110", blush, 4) +
      line(mouth, C.ink, 4) +
      over,
    SIDE,
    SIDE,
  );
}
