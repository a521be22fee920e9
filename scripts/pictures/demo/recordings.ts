const RATE = 8_000;
const SECONDS = 4;
const HEADER_BYTES = 44;

/** Semitones above a low G, a note every quarter of a second; undefined is a rest. */
const TUNES = [
  [0, 7, 12, 16, undefined, 12, 19, 16, 14, undefined, 7, 12],
  [12, undefined, 9, 7, 4, undefined, 7, 9, 12, undefined, 16, 12],
  [7, 4, 7, 9, undefined, 12, 9, 7, 4, 2, undefined, 0],
];

/** The opening tune of each episode, plucked softly. */
export const recordings = (): Buffer[] => TUNES.map(record);

function record(tune: readonly (number | undefined)[]): Buffer {
  const count = RATE * SECONDS;
  const wav = Buffer.alloc(HEADER_BYTES + count * 2);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8);
  // 16 bytes of format: PCM, one channel, the rate, bytes per second and sample, bits.
  [16, 0x0001_0001, RATE, RATE * 2, 0x0010_0002].forEach((word, index) =>
    wav.writeUInt32LE(word, 16 + index * 4),
  );
  wav.write("data", 36);
  wav.writeUInt32LE(count * 2, 40);
  for (let index = 0; index < count; index++) {
    wav.writeInt16LE(Math.round(soundAt(tune, index / RATE) * 8_000), HEADER_BYTES + index * 2);
  }
  return wav;
}

function soundAt(tune: readonly (number | undefined)[], seconds: number): number {
  return tune.reduce<number>((sum, semitones, place) => {
    const since = seconds - place / 4;
    if (semitones === undefined || since < 0) return sum;
    const phase = 2 * Math.PI * 196 * 2 ** (semitones / 12) * since;
    const loudness = Math.min(1, since * 200) * Math.exp(-3.5 * since);
    return sum + loudness * (Math.sin(phase) + 0.3 * Math.sin(2 * phase) * Math.exp(-6 * since));
  }, 0);
}
