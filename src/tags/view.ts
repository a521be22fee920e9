export interface TagRow {
  id: number;
  name: string;
  bg_color_hex: string | null;
  text_color_hex: string | null;
}

export function tag({ id, name, bg_color_hex, text_color_hex }: TagRow) {
  return { id, name, bg_color_hex, text_color_hex };
}

export function flare({ name, bg_color_hex, text_color_hex }: Omit<TagRow, "id">) {
  return { name, bg_color_hex, text_color_hex };
}
