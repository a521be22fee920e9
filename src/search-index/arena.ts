const CHUNK_BITS = 18;
const CHUNK = 1 << CHUNK_BITS;

/** The longest piece. */
export const MAX_PIECE = CHUNK;

/** Bytes outside V8's heap. An address is a number; a piece never crosses two chunks. */
export class Arena {
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  /** The same by two bytes. */
  readonly #pairs: Uint16Array[] = [];
  #free = 0;
  #end = 0;

  get bytes(): number {
    return this.#chunks.length * CHUNK;
  }

  /** @param alignment a power of two that divides the address */
  allocate(size: number, alignment = 1): number {
    this.#free = (this.#free + alignment - 1) & -alignment;
    if (this.#free + size > this.#end) {
      this.#free = this.#chunks.length * CHUNK;
      this.#end = this.#free + CHUNK;
      const chunk = new Uint8Array(CHUNK);
      this.#chunks.push(chunk);
      this.#pairs.push(new Uint16Array(chunk.buffer));
    }
    const address = this.#free;
    this.#free += size;
    return address;
  }

  chunkOf(address: number): Uint8Array {
    return this.#chunks[address >>> CHUNK_BITS] as Uint8Array;
  }

  pairsOf(address: number): Uint16Array {
    return this.#pairs[address >>> CHUNK_BITS] as Uint16Array;
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

/** The numbers in an array of at least this size, half as large again. */
export function grown<T extends Numbers>(array: T, size: number): T {
  const larger = new (array.constructor as new (size: number) => T)(
    Math.max(size, Math.ceil(1.5 * array.length)),
  );
  larger.set(array);
  return larger;
}
