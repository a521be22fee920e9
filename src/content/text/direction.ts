const RTL =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Yezidi}]/u;

/** `rtl` if the first letter of a text is written from right to left, as `dir="auto"` decides; else undefined. */
export function directionOf(text: string): "rtl" | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  return letter !== undefined && RTL.test(letter) ? "rtl" : undefined;
}
