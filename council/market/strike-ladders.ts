import type { Market, Strike } from '../event.js';
import { at } from '../numbers.js';

/**
 * Ladders of the markets whose strikes the venue states as data, the weakest claim first. Markets form one if they claim
 * in the same direction and their questions are the same text except for one number, so that the points of two players
 * stay apart. A `between` market forms none, and equal values form none.
 */
export function strikeLadders(markets: readonly Market[]): number[][] {
  const groups = new Map<string, Claim[]>();
  for (const [index, { strike, question }] of markets.entries()) {
    const bound = strike === undefined ? null : boundOf(strike);
    if (bound === null) continue;
    const key = `${bound.isLess} ${question.replace(number, '#')}`;
    const claim = { ...bound, index, numbers: question.match(number) ?? [] };
    groups.set(key, [...(groups.get(key) ?? []), claim]);
  }
  return [...groups.values()].flatMap(claims => ladderOf(claims));
}

interface Bound {
  /** The market is the more probable the larger the value. */
  readonly isLess: boolean;
  readonly value: number;
}

interface Claim extends Bound {
  readonly index: number;
  /** The numbers in the question, as written. */
  readonly numbers: readonly string[];
}

function boundOf({ kind, floor, cap }: Strike): Bound | null {
  if (kind === 'between') return null;
  const isLess = kind === 'below' || kind === 'at_most';
  const value = isLess ? cap : floor;
  return value === null ? null : { isLess, value };
}

function ladderOf(claims: readonly Claim[]): number[][] {
  const [first] = claims;
  if (first === undefined || claims.length < 2) return [];
  const varying = first.numbers.filter((text, slot) =>
    claims.some(({ numbers }) => at(numbers, slot) !== text),
  );
  if (varying.length > 1 || new Set(claims.map(({ value }) => value)).size < claims.length) return [];
  const upwards = [...claims].sort((a, b) => a.value - b.value).map(({ index }) => index);
  return [first.isLess ? upwards.toReversed() : upwards];
}

const number = /[-−]?\d[\d.,]*/g;
