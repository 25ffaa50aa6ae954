import { at } from '../numbers.js';
import type { GradedBet, GradedOutcome } from './grade.js';
import type { ForecastScores, Score } from './grade-scores.js';
import { type ClusteredMean, clusteredMean, wilsonInterval } from './intervals.js';
import type { RecordedForecast } from './recorded-forecast.js';

/** Means over the n reports that have a score. Null if n is 0. */
export interface Figures {
  /** 0 to 2; always saying ½ on a yes/no question gives 0.5. Less is better. */
  readonly brier: number | null;
  readonly log_score: number | null;
  /** 0..1. */
  readonly hit_rate: number | null;
  readonly n: number;
}

interface FiguresBuilder {
  /** Null means that the report has no score and is not counted. */
  add(score: Score | null): void;
  finish(): Figures;
}

export function figuresBuilder(): FiguresBuilder {
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
      const mean = (total: number) => (n === 0 ? null : total / n);
      return { brier: mean(sums.brier), log_score: mean(sums.log_score), hit_rate: mean(sums.hit), n };
    },
  };
}

/** Council and market over one group of reports. */
export interface ScoreSummary {
  readonly council: Figures;
  readonly market: Figures;
  readonly paired_difference: PairedDifference;
}

/** Brier of the council − that of the market, on reports that score both. Below 0 the council is better. */
export interface PairedDifference extends ClusteredMean {
  /** Mean Brier scores of each on those same reports. */
  readonly council_brier: number | null;
  readonly market_brier: number | null;
}

export type CouncilAndMarket = Pick<ForecastScores, 'council' | 'market'>;

interface ScoreSummaryBuilder {
  add(eventId: string, scores: CouncilAndMarket): void;
  finish(): ScoreSummary;
}

export function scoreSummaryBuilder(): ScoreSummaryBuilder {
  const council = figuresBuilder();
  const market = figuresBuilder();
  const paired = { council: figuresBuilder(), market: figuresBuilder(), difference: clusteredMean() };
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

/**
 * Returns of one dollar staked on each bet at the cost that the report named. Bets whose stake was returned
 * do not count. Returns vary far more than scores, so long shots make them look good or bad for a long time.
 */
interface BetReturns {
  readonly n: number;
  readonly events: number;
  /** Net dollars per dollar staked. */
  readonly mean_return_per_dollar: number | null;
  readonly interval_95: ClusteredMean['interval_95'];
}

export interface BetFigures extends BetReturns {
  readonly by_kind: Readonly<Record<GradedBet['kind'], BetReturns>>;
}

interface BetFiguresBuilder {
  add(eventId: string, bets: readonly GradedBet[]): void;
  finish(): BetFigures;
}

export function betFiguresBuilder(): BetFiguresBuilder {
  const all = clusteredMean();
  const kinds = { edge: clusteredMean(), pick: clusteredMean() };
  return {
    add: (eventId, bets) => {
      for (const { won, kind, return_per_dollar: value } of bets) {
        if (won === null) continue;
        all.add(eventId, value);
        kinds[kind].add(eventId, value);
      }
    },
    finish: () => ({
      ...returnsOf(all.finish()),
      by_kind: { edge: returnsOf(kinds.edge.finish()), pick: returnsOf(kinds.pick.finish()) },
    }),
  };
}

function returnsOf({ n, events, mean, interval_95 }: ClusteredMean): BetReturns {
  return { n, events, mean_return_per_dollar: mean, interval_95 };
}

/** Outcomes to which the council gave `from` ≤ p < `to` (the last bin includes 1). */
export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  /** Number of events that the n outcomes belong to. */
  readonly events: number;
  readonly mean_probability: number | null;
  readonly share_happened: number | null;
  /**
   * 95 % Wilson interval, computed as if the n outcomes were independent. Outcomes of one event are not, so
   * if `events` is much smaller than `n`, the true interval is wider.
   */
  readonly interval_95: readonly [low: number, high: number] | null;
}

interface CalibrationBuilder {
  add(forecast: RecordedForecast, outcomes: readonly GradedOutcome[]): void;
  finish(): CalibrationBin[];
}

const binCount = 10;
const binWidthPercent = 100 / binCount;

/** Counts each outcome once, and only the YES of a single market, whose NO carries the same information. */
export function calibrationBuilder(): CalibrationBuilder {
  const bins = Array.from({ length: binCount }, () => ({ n: 0, percents: 0, happened: 0, events: 0 }));
  // Per event, one bit for each bin that has counted the event.
  const binsOfEvent = new Map<string, number>();
  return {
    add: ({ event_id: eventId, outcomes }, graded) => {
      for (const [index, { council, side }] of outcomes.entries()) {
        const happened = at(graded, index).happened;
        if (happened === null || side === 'no') continue;
        const binIndex = Math.min(binCount - 1, Math.floor(council / binWidthPercent));
        const bin = at(bins, binIndex);
        bin.n += 1;
        bin.percents += council;
        bin.happened += happened;
        const counted = binsOfEvent.get(eventId) ?? 0;
        if ((counted & (1 << binIndex)) === 0) bin.events += 1;
        binsOfEvent.set(eventId, counted | (1 << binIndex));
      }
    },
    finish: () =>
      bins.map(({ n, percents, happened, events }, index) => ({
        from: index / binCount,
        to: (index + 1) / binCount,
        n,
        events,
        mean_probability: n === 0 ? null : percents / 100 / n,
        share_happened: n === 0 ? null : happened / n,
        interval_95: wilsonInterval(happened, n),
      })),
  };
}
