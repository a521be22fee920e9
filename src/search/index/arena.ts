const CHUNK_BITS = 18;
const CHUNK = 1 << CHUNK_BITS;

/** Larger pieces have memory of their own. */
const LARGE = CHUNK / 4;

/** Bytes outside V8's heap. An address is the number of a piece's first byte; a piece lies in one chunk. */
export class Arena {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #free = 0;
  #end = 0;

  get bytes(): number {
    return this.#bytes;
  }

  allocate(size: number): number {
    if (size > LARGE) return this.#addChunk(size);
    if (this.#free + size > this.#end) {
      this.#free = this.#addChunk(CHUNK);
      this.#end = this.#free + CHUNK;
    }
    const address = this.#free;
    this.#free += size;
    return address;
  }

  /** A chunk that is larger than others has the addresses of several. */
  #addChunk(size: number): number {
    const address = this.#chunks.length * CHUNK;
    const chunk = Buffer.alloc(size);
    for (let left = size; left > 0; left -= CHUNK) this.#chunks.push(chunk);
    this.#bytes += size;
    return address;
  }

  chunkOf(address: number): Buffer {
    return this.#chunks[address >>> CHUNK_BITS] as Buffer;
  }
}

export const offsetOf = (address: number): number => address & (CHUNK - 1);

/** Writes a number in groups of seven bits, the lowest first, and returns where the next one goes. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let to = at;
  for (; rest > 127; rest >>>= 7) bytes[to++] = (rest & 127) | 128;
  bytes[to++] = rest;
  return to;
}

export function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 127; rest >>>= 7) bytes++;
  return bytes;
}

type Numbers = Int32Array | Uint8Array | Uint16Array | Float32Array | Float64Array;

/** The numbers in an array of at least this size, a quarter as large again. */
export function grown<T extends Numbers>(array: T, size: number): T {
  const larger = new (array.constructor as new (size: number) => T)(
    Math.max(size, Math.ceil(1.25 * array.length)),
  );
  larger.set(array);
  return larger;
}
