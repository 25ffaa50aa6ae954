/** Many texts in little memory: their bytes, outside of what the garbage collector has to look at. */
export interface PackedTexts {
  add(text: string): void;
  /** The texts in the order of their bytes, one at a time. */
  inOrder(): Iterable<string>;
}

const chunkBytes = 4 * 1024 * 1024;
/** No UTF-16 code unit takes more in UTF-8. */
const bytesPerUnitMax = 3;

export function packedTexts(): PackedTexts {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  const places: Place[] = [];
  let [chunk, used] = [new Uint8Array(chunkBytes), 0];
  return {
    add: text => {
      const needed = text.length * bytesPerUnitMax;
      if (chunk.length - used < needed) [chunk, used] = [new Uint8Array(Math.max(chunkBytes, needed)), 0];
      const { written } = encoder.encodeInto(text, chunk.subarray(used));
      places.push({ chunk, from: used, to: used + written });
      used += written;
    },
    *inOrder() {
      places.sort(compare);
      for (const { chunk: bytes, from, to } of places) yield decoder.decode(bytes.subarray(from, to));
    },
  };
}

/** Where a text stands. */
interface Place {
  readonly chunk: Uint8Array;
  readonly from: number;
  readonly to: number;
}

function compare(a: Place, b: Place): number {
  const shared = Math.min(a.to - a.from, b.to - b.from);
  for (let index = 0; index < shared; index += 1) {
    const difference = (a.chunk[a.from + index] ?? 0) - (b.chunk[b.from + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.to - a.from - (b.to - b.from);
}
