import type { MemberForecast } from './member-forecasts.js';
import { pool } from './pool.js';
import { roundDistribution } from './round-distribution.js';
import { roundTo } from './round-to.js';

/** The council's answer, aligned with the outcomes. */
export interface Consensus {
  /** Probabilities (0..1), unrounded: what every later rule computes with. */
  readonly fractions: readonly number[];
  /** Percent with one decimal, as published; adding up to exactly 100 on an exclusive set. */
  readonly percents: readonly number[];
}

/** Pools the members' forecasts. No text of anybody, and no price, has a way in. */
export function consensus(
  exclusive: boolean,
  forecasts: readonly Pick<MemberForecast, 'fractions'>[],
): Consensus {
  const fractions = pool(
    forecasts.map(forecast => forecast.fractions),
    { exclusive },
  );
  const percents = exclusive ? roundDistribution(fractions) : fractions.map(p => roundTo(p * 100, 1));
  return { fractions, percents };
}
