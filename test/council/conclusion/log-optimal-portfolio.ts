import type { StakedBet } from '../../../council/conclusion/stakes.js';
import { at, sum } from '../../../council/numbers.js';

/** The bets of an exclusive set as assets beside cash. A mix is given by the fractions on the bets. */
export interface Portfolio {
  readonly bets: number;
  /** The expected logarithm of what a dollar becomes. */
  growthOf(fractions: readonly number[]): number;
  /** E(R / W) of each asset, cash at last: what a dollar in it becomes, relative to the mix. */
  slopesOf(fractions: readonly number[]): readonly number[];
  /**
   * By how much growth falls short of that of the best mix, at most. For the wealth W of this mix and V of the best one,
   * E log(V/W) ≤ log E(V/W) ≤ log max E(R/W) over the assets (Bell and Cover 1980).
   */
  shortBy(fractions: readonly number[]): number;
}

export function portfolioOf(bets: readonly StakedBet[]): Portfolio {
  const tenths = bets.map(({ side, win_probability: win }) =>
    Math.round(10 * (side === 'BUY_YES' ? win : 100 - win)),
  );
  /** By outcome, at last any other: its probability, and what a dollar becomes in each asset. */
  const outcomes = [...tenths, 1000 - sum(tenths)].map((each, outcome) => ({
    p: each / 1000,
    returns: [
      ...bets.map(({ side, share_cost: cost }, bet) =>
        (side === 'BUY_YES') === (bet === outcome) ? 1 / cost : 0,
      ),
      1,
    ],
  }));
  const possible = outcomes.filter(({ p }) => p > 0);
  const wealths = (mix: readonly number[]) =>
    possible.map(({ returns }) => sum(returns.map((each, asset) => each * at(mix, asset))));
  const growthOf = (fractions: readonly number[]) => {
    const wealth = wealths([...fractions, 1 - sum(fractions)]);
    return sum(possible.map(({ p }, outcome) => p * Math.log(at(wealth, outcome))));
  };
  const slopesOf = (fractions: readonly number[]) => {
    const mix = [...fractions, 1 - sum(fractions)];
    const worth = wealths(mix).map((wealth, outcome) => at(possible, outcome).p / wealth);
    return mix.map((_, asset) =>
      sum(possible.map(({ returns }, outcome) => at(worth, outcome) * at(returns, asset))),
    );
  };
  const shortBy = (fractions: readonly number[]) => Math.log(Math.max(...slopesOf(fractions)));
  return { bets: bets.length, growthOf, slopesOf, shortBy };
}

/**
 * A good mix by Cover's multiplicative ascent (1984): each part is multiplied by its slope, so that growth rises in every
 * step and the parts stay a mix. From equal parts of n assets, growth falls short by ln(n) / steps at most.
 */
export function ascend(portfolio: Portfolio, steps: number) {
  const assets = portfolio.bets + 1;
  let mix: readonly number[] = Array.from({ length: assets }, () => 1 / assets);
  for (let step = 0; step < steps; step += 1) {
    const slopes = portfolio.slopesOf(mix.slice(0, -1));
    mix = mix.map((part, asset) => part * at(slopes, asset));
  }
  return { growth: portfolio.growthOf(mix.slice(0, -1)), shortBy: Math.log(assets) / steps };
}
