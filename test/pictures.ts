import { constants, deflateSync } from "node:zlib";
import { chunk, png } from "../src/images/tiles.ts";

/** A black PNG of any size, which is small whatever its size, with more chunks of this kind. */
export function pngOf(width: number, height: number, more: Buffer[] = []): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  return png({ width, height, kind: "colour" }, [
    ...more,
    chunk("IDAT", deflateSync(rows, { strategy: constants.Z_RLE })),
  ]);
}

/** Data that can hang behind a picture, and its name in messages. */
export function disguises(): [string, Buffer][] {
  const archive = Buffer.alloc(22);
  archive.write("PK\x05\x06", "latin1");
  return [
    ["a web page or script", Buffer.from("\n<HTML><body onload=alert(1)>")],
    ["a web page or script", Buffer.from("<script src=//elsewhere.example></script>")],
    ["a web page or script", Buffer.from("<?php system($_GET['c']);")],
    ["an archive", Buffer.concat([Buffer.from("PK\x03\x04 a program of sorts"), archive])],
    ["an archive", Buffer.from("Rar!\x1a\x07\x01\0", "latin1")],
  ];
}
