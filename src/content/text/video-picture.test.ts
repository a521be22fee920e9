import { expect, test } from "vitest";
import { videoPicture } from "./embeds/services.ts";

const PICTURE = "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg";

test.each([
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", PICTURE],
  ["https://m.youtube.com/watch?list=PL1&v=dQw4w9WgXcQ&t=3", PICTURE],
  ["https://youtu.be/dQw4w9WgXcQ?t=3", PICTURE],
  ["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ", PICTURE],
  ["https://youtube.com/shorts/dQw4w9WgXcQ", PICTURE],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQx", null],
  ["https://www.youtube.com/@somebody", null],
  ["https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ", null],
  ["https://vimeo.com/76979871", null],
  ["https://videos.example/loom.mp4", null],
  ["", null],
  [null, null],
])("the preview picture of %s is %s", (url, picture) => {
  expect(videoPicture(url)).toBe(picture);
});
