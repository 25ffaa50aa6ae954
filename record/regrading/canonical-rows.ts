import type { Resolution } from '../../council/event.js';
import { at } from '../../council/numbers.js';
import { compareText } from '../../council/text.js';
import type { GradableRow, Numbers, OldGrade } from './gradable-row.js';
import { type PackedTexts, packedTexts } from './packed-texts.js';

/** Rows to grade, and what they know. Each is kept as its text, which takes a fraction of the memory of a row. */
export interface CanonicalRows {
  /**
   * The JSON of each row, in an order that depends on nothing but their content. Every sum is taken in this order, so the same
   * rows give the same figures to the last bit, however they were stored.
   */
  readonly texts: PackedTexts;
  /** The names of all members, in the order of the alphabet. */
  readonly members: readonly string[];
  /** Whether any row says it. */
  readonly knows: Readonly<Record<SomeKnow, boolean>>;
}

/** What not every file has. */
type SomeKnow = 'market' | 'market_at_close_1d' | 'disputed' | 'rules_changed';

export function canonicalRows(rows: Iterable<GradableRow>): CanonicalRows {
  const texts = packedTexts();
  const members = new Set<string>();
  const knows = { market: false, market_at_close_1d: false, disputed: false, rules_changed: false };
  for (const row of rows) {
    texts.add(JSON.stringify(packed(row)));
    for (const name of Object.keys(row.members)) members.add(name);
    knows.market ||= hasNumbers(row.market);
    knows.market_at_close_1d ||= hasNumbers(row.market_at_close_1d);
    knows.disputed ||= row.disputed !== null;
    knows.rules_changed ||= row.rules_changed !== null;
  }
  return { texts, members: [...members].sort(compareText), knows };
}

function hasNumbers(of: Numbers | null): boolean {
  return of !== null && of.some(p => p !== null);
}

/**
 * The row of a text. Its markets are named by their place: objects with fields of other names in each row would fill the
 * memory with their shapes.
 *
 * @param text one of `CanonicalRows`
 */
export function rowOf(text: string): GradableRow {
  const packed: PackedRow = JSON.parse(text);
  const { outcomes, resolutions, paid, old } = packed;
  const places = new Map<string, string>();
  const placeOf = (market: string): string => {
    const known = places.get(market) ?? `market ${places.size}`;
    places.set(market, known);
    return known;
  };
  const byPlace = <Value>(of: Pairs<Value>) =>
    Object.fromEntries(of.map(([market, value]) => [placeOf(market), value]));
  return {
    ...packed,
    outcomes: outcomes.map(([name, market, side]) => ({
      name,
      market_id: market === null ? null : placeOf(market),
      side,
    })),
    resolutions: byPlace(resolutions),
    paid: byPlace(paid),
    old: old && { ...old, resolutions: byPlace(old.resolutions ?? resolutions) },
  };
}

type Pairs<Value> = readonly (readonly [market: string, value: Value])[];

/** A row as its text has it: what is known of markets as pairs, in the order of their ids. */
interface PackedRow extends Omit<GradableRow, 'outcomes' | 'resolutions' | 'paid' | 'old'> {
  readonly outcomes: readonly (readonly [name: string, market: string | null, side: 'yes' | 'no'])[];
  readonly resolutions: Pairs<Resolution>;
  readonly paid: Pairs<number>;
  /** The resolutions are null if they are those of the row. */
  readonly old: (Omit<OldGrade, 'resolutions'> & { readonly resolutions: Pairs<Resolution> | null }) | null;
}

/** The outcomes by name. Names every field, so that a field has one place in the text of all rows. */
function packed(row: GradableRow): PackedRow {
  const order = [...row.outcomes.keys()].sort((a, b) =>
    compareText(at(row.outcomes, a).name, at(row.outcomes, b).name),
  );
  const ordered = (of: Numbers) => order.map(index => of[index] ?? null);
  const orderedOrNull = (of: Numbers | null) => of && ordered(of);
  const members = sorted(row.members).map(([name, of]) => [name, ordered(of)] as const);
  const resolutions = sorted(row.resolutions);
  return {
    event: row.event,
    id: row.id,
    exclusive: row.exclusive,
    outcomes: order.map(index => {
      const { name, market_id, side } = at(row.outcomes, index);
      return [name, market_id, side] as const;
    }),
    resolutions,
    paid: sorted(row.paid),
    council: orderedOrNull(row.council),
    market: orderedOrNull(row.market),
    market_at_close_1d: orderedOrNull(row.market_at_close_1d),
    estimate: orderedOrNull(row.estimate),
    members: Object.fromEntries(members),
    disputed: row.disputed,
    rules_changed: row.rules_changed,
    credits: row.credits,
    old: row.old && {
      grader: row.old.grader,
      state: row.old.state,
      score: row.old.score,
      resolutions: unlessSame(sorted(row.old.resolutions), resolutions),
    },
  };
}

function unlessSame<Value>(of: Pairs<Value>, other: Pairs<Value>): Pairs<Value> | null {
  return JSON.stringify(of) === JSON.stringify(other) ? null : of;
}

function sorted<Value>(of: Readonly<Record<string, Value>>): [string, Value][] {
  return Object.entries(of).sort(([a], [b]) => compareText(a, b));
}
