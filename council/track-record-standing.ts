import { type ClusteredMean, clusteredMean } from './clustered-mean.js';
import type { ForecastScores } from './grade-scores.js';
import { type Figures, figures } from './track-record-figures.js';

/** Council and market over one group of reports. */
export interface Standing {
  readonly council: Figures;
  readonly market: Figures;
  readonly paired_difference: PairedDifference;
}

/** Brier of the council − Brier of the market, on the reports both have a score on. Below 0 the council is better. */
export interface PairedDifference extends ClusteredMean {
  /** Mean Brier scores of either on those same reports. */
  readonly council_brier: number | null;
  readonly market_brier: number | null;
}

export type CouncilAndMarket = Pick<ForecastScores, 'council' | 'market'>;

export interface StandingSoFar {
  add(eventId: string, scores: CouncilAndMarket): void;
  finish(): Standing;
}

export function standing(): StandingSoFar {
  const council = figures();
  const market = figures();
  const paired = { council: figures(), market: figures(), difference: clusteredMean() };
  return {
    add: (eventId, scores) => {
      council.add(scores.council);
      market.add(scores.market);
      if (scores.council === null || scores.market === null) return;
      paired.council.add(scores.council);
      paired.market.add(scores.market);
      paired.difference.add(eventId, scores.council.brier - scores.market.brier);
    },
    finish: () => ({
      council: council.finish(),
      market: market.finish(),
      paired_difference: {
        ...paired.difference.finish(),
        council_brier: paired.council.finish().brier,
        market_brier: paired.market.finish().brier,
      },
    }),
  };
}
