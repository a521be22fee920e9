import { crc32, deflateSync } from "node:zlib";

/** One chunk of a PNG. */
export function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** A black PNG of any size, which is small whatever its size, with more chunks of this kind. */
export function pngOf(width: number, height: number, more: Buffer[] = []): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits of red, green and blue.
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    ...more,
    chunk("IDAT", deflateSync(Buffer.alloc(height * (1 + width * 3)), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** What can hang behind a picture, and what it is then called. */
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
