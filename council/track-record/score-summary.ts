import type { ForecastScores, Score } from './grade-scores.js';
import { type ClusteredMean, clusteredMean } from './intervals.js';

/** Council and market over one group of reports. */
export interface ScoreSummary {
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

export interface ScoreSummaryBuilder {
  add(eventId: string, scores: CouncilAndMarket): void;
  finish(): ScoreSummary;
}

export function scoreSummaryBuilder(): ScoreSummaryBuilder {
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

/** Means over the reports that somebody has scores on: n of them. Null where n is 0. */
export interface Figures {
  /** 0 to 2; always saying ½ of a yes/no question gives 0.5. Less is better. */
  readonly brier: number | null;
  readonly log_score: number | null;
  /** 0..1. */
  readonly hit_rate: number | null;
  readonly n: number;
}

export interface FiguresSoFar {
  /** Null, for who has no score on a report, counts nowhere. */
  add(score: Score | null): void;
  finish(): Figures;
}

export function figures(): FiguresSoFar {
  const sums = { brier: 0, log_score: 0, hit: 0 };
  let n = 0;
  return {
    add: score => {
      if (score === null) return;
      sums.brier += score.brier;
      sums.log_score += score.log_score;
      sums.hit += score.hit;
      n += 1;
    },
    finish: () => {
      const mean = (sum: number) => (n === 0 ? null : sum / n);
      return { brier: mean(sums.brier), log_score: mean(sums.log_score), hit_rate: mean(sums.hit), n };
    },
  };
}
