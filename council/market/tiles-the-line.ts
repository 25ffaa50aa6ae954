import type { Strike } from '../event.js';

/**
 * Whether strikes provably cover every number: one tail to each side, and between them ranges of which each begins
 * exactly where the one before ends. Bounds that two strikes share are covered, because a range includes its bounds.
 *
 * Ranges of whole numbers, such as 60 to 61 and 62 to 63 degrees, are not proven to cover what they seem to: no venue
 * says as data that its number is rounded to integers. Whole bounds are no sign of it, since 61.5 can be measured, and
 * the rules that may say so are text. Such events keep `Any other`, which costs the other outcomes a little probability;
 * a proof that is wrong would leave no outcome for 61.5.
 *
 * @param strikes one for each market; undefined for a market without a number
 */
export function tilesTheLine(strikes: readonly (Strike | undefined)[]): boolean {
  const known = strikes.filter(strike => strike !== undefined);
  const lower = known.filter(({ kind }) => kind === 'below' || kind === 'at_most');
  const upper = known.filter(({ kind }) => kind === 'above' || kind === 'at_least');
  const [low] = lower;
  const [high] = upper;
  const isWhole = known.length === strikes.length && lower.length === 1 && upper.length === 1;
  if (!isWhole || low === undefined || high === undefined) return false;
  const ranges = known
    .filter(({ kind }) => kind === 'between')
    .sort((a, b) => (a.floor ?? 0) - (b.floor ?? 0));
  // Two open tails leave out the bound that they share.
  if (ranges.length === 0 && low.kind === 'below' && high.kind === 'above') return false;
  let covered = low.cap;
  for (const { floor, cap } of ranges) {
    if (floor === null || cap === null || floor !== covered || cap <= floor) return false;
    covered = cap;
  }
  return covered !== null && covered === high.floor;
}
