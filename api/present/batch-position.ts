import { type BatchPause, batchPauses } from '../../purchase/batches.js';

/**
 * What a reader of a batch's stream knows. It is the `id` of an event, so that any process can go on after it:
 * `T.S.N.E.B`. T: when the newest of the known rows was decided, milliseconds in base 36. S: the state of the batch.
 * N: how many rows from the first one are known to have ended. E and B: for the rows after them, a bit each that is set if
 * the row is known to have ended, or to have started; base64url without zeros at the end. An id says which events were sent
 * and not how many, because events of different rows have no order that all readers see.
 */
export interface BatchPosition {
  /** A row that was decided later than this has been tried again since. */
  readonly decidedAtMs: number;
  readonly batch: KnownBatch;
  readonly rows: ReadonlyMap<number, 'started' | 'ended'>;
}

/** Null: it goes on, for all that the reader knows. */
export type KnownBatch = BatchPause | 'ended' | null;

export const beginning: BatchPosition = { decidedAtMs: 0, batch: null, rows: new Map() };

const letterOf = {
  budget: 'b',
  balance: 'a',
  house_limit: 'h',
  member: 'm',
  asked: 'o',
  ended: 'e',
} as const satisfies Readonly<Record<Exclude<KnownBatch, null>, string>>;

export function writePosition({ decidedAtMs, batch, rows }: BatchPosition): string {
  let leading = 0;
  while (rows.get(leading + 1) === 'ended') leading++;
  const bits = (isIn: (known: 'started' | 'ended') => boolean) =>
    bitsOf([...rows].flatMap(([row, known]) => (row > leading && isIn(known) ? [row - leading - 1] : [])));
  const state = batch === null ? '-' : letterOf[batch];
  const ended = bits(known => known === 'ended');
  const started = bits(known => known === 'started');
  return [decidedAtMs.toString(36), state, leading, ended, started].join('.');
}

/** @param text an id that `writePosition` wrote, or one of the same form */
export function readPosition(text: string): BatchPosition {
  const [time = '', letter = '', leading = '', ended = '', started = ''] = text.split('.');
  const first = Number(leading);
  const rows = new Map<number, 'started' | 'ended'>();
  for (let row = 1; row <= first; row++) rows.set(row, 'ended');
  for (const offset of offsetsIn(ended)) rows.set(first + 1 + offset, 'ended');
  for (const offset of offsetsIn(started)) rows.set(first + 1 + offset, 'started');
  return { decidedAtMs: Number.parseInt(time, 36), batch: batchIn(letter), rows };
}

function batchIn(letter: string): KnownBatch {
  return [...batchPauses, 'ended' as const].find(known => letterOf[known] === letter) ?? null;
}

const bitsPerByte = 8;

function bitsOf(offsets: readonly number[]): string {
  const bytes = Buffer.alloc(Math.ceil((Math.max(-1, ...offsets) + 1) / bitsPerByte));
  for (const offset of offsets) {
    const at = Math.floor(offset / bitsPerByte);
    bytes.writeUInt8(bytes.readUInt8(at) | (1 << (offset % bitsPerByte)), at);
  }
  return bytes.toString('base64url');
}

function offsetsIn(text: string): number[] {
  return [...Buffer.from(text, 'base64url')].flatMap((byte, at) =>
    Array.from({ length: bitsPerByte }, (_, bit) => bit)
      .filter(bit => (byte & (1 << bit)) !== 0)
      .map(bit => at * bitsPerByte + bit),
  );
}
