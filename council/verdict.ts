import type { Action, Bet } from './report.js';

/**
 * The action on the queried market alone: the side on which it carries an edge among the report's bets, else
 * `SKIP`. A pick claims no mispricing and makes nobody buy.
 */
export function verdict(queriedMarket: string, bets: readonly Bet[]): Action {
  const edge = bets.find(({ market, kind }) => market === queriedMarket && kind === 'edge');
  return edge?.side ?? 'SKIP';
}
