import { at } from './at.js';

/**
 * Rounds a distribution to percents of one decimal that add up to exactly 100.0, by largest remainder in whole
 * tenths. Equal remainders: the larger share first, then the earlier outcome.
 *
 * @param shares any scale, none negative, aligned with the outcomes
 */
export function roundDistribution(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const quotas = shares.map(share => settled((share / total) * tenthsInAll));
  const tenths = quotas.map(Math.floor);
  const missing = tenthsInAll - tenths.reduce((sum, tenth) => sum + tenth, 0);

  const byRemainder = [...quotas.keys()].sort((a, b) => {
    const remainders = at(quotas, b) - at(tenths, b) - (at(quotas, a) - at(tenths, a));
    return settled(remainders) || at(quotas, b) - at(quotas, a) || a - b;
  });
  const raised = new Set(byRemainder.slice(0, missing));
  return tenths.map((tenth, index) => (tenth + (raised.has(index) ? 1 : 0)) / 10);
}

const tenthsInAll = 1_000;

/** Takes binary noise off, so that 28.9 % is 289 tenths and no remainder. */
function settled(tenths: number): number {
  return Math.round(tenths * 1e6) / 1e6;
}
