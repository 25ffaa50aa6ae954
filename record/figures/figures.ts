import { at } from '../../council/numbers.js';
import type { Score } from '../grades/grade-scores.js';
import { type EventMean, type EventSlice, eventMean, meanOfEvents, votesByEvent } from './event-mean.js';

/** One event, one vote: means over the events, of the mean of each event's reports. Null if n is 0. */
export interface Figures {
  /** 0 to 2; always saying ½ on a yes/no question gives 0.5. Less is better. */
  readonly brier: number | null;
  readonly log_score: number | null;
  /** 0..1. */
  readonly hit_rate: number | null;
  /** Number of reports that have a score. */
  readonly n: number;
  /** Number of events that they belong to. */
  readonly events: number;
}

interface FiguresBuilder {
  /** Null means that the report has no score and is not counted. */
  add(event: number, score: Score | null): void;
  /** @param slice the events that count; all of them by default */
  finish(slice?: EventSlice): Figures;
}

export function figuresBuilder(): FiguresBuilder {
  const votes = votesByEvent(3);
  return {
    add: (event, score) => {
      if (score !== null) votes.add(event, [score.brier, score.log_score, score.hit]);
    },
    finish: slice => {
      const { n, events, columns } = votes.finish(slice?.includes);
      const mean = (column: number) => meanOfEvents(at(columns, column));
      return { brier: mean(0), log_score: mean(1), hit_rate: mean(2), n, events };
    },
  };
}

/** Brier of one forecaster − that of another, on reports that score both. Below 0 the first one is better. */
interface Difference extends EventMean {
  /** Mean Brier scores of each on those same reports. */
  readonly first: number | null;
  readonly second: number | null;
}

interface DifferenceBuilder {
  /** @param width how far the outcome can move the difference; see `brierWidth` */
  add(event: number, first: Score | null, second: Score | null, width: number): void;
  finish(slice?: EventSlice): Difference;
}

/** @param slices see `EventMeanInput`; those of a slice that is asked for replace it */
export function differenceBuilder(slices: number): DifferenceBuilder {
  const votes = votesByEvent(4);
  return {
    add: (event, first, second, width) => {
      if (first === null || second === null) return;
      votes.add(event, [first.brier, second.brier, first.brier - second.brier, width]);
    },
    finish: slice => {
      const { n, columns } = votes.finish(slice?.includes);
      const [values, widths] = [at(columns, 2), at(columns, 3)];
      return {
        ...eventMean({ n, values, widths, unit: 'brier', slices: slice?.slices ?? slices }),
        first: meanOfEvents(at(columns, 0)),
        second: meanOfEvents(at(columns, 1)),
      };
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
export interface PairedDifference extends EventMean {
  /** Mean Brier scores of each on those same reports. */
  readonly council_brier: number | null;
  readonly market_brier: number | null;
}

/** Brier of the estimate − that of the market, on reports that score both. Below 0 the estimate is better. */
export interface EstimateDifference extends EventMean {
  readonly estimate_brier: number | null;
  readonly market_brier: number | null;
}

/**
 * The value of cross-review: Brier of the council − that of the pool of the same members' first opinions. Below 0 the
 * review made the council better.
 */
export interface ReviewDifference extends EventMean {
  readonly council_brier: number | null;
  readonly first_council_brier: number | null;
}

/** The scores of one report that a summary compares. */
export interface CouncilAndMarket {
  readonly council: Score | null;
  readonly market: Score | null;
  /** See `brierWidth`. */
  readonly width: number;
}

interface ScoreSummaryBuilder {
  add(event: number, scores: CouncilAndMarket): void;
  finish(slice?: EventSlice): ScoreSummary;
}

/** @param slices see `EventMeanInput` */
export function scoreSummaryBuilder(slices = 1): ScoreSummaryBuilder {
  const ours = figuresBuilder();
  const theirs = figuresBuilder();
  const paired = differenceBuilder(slices);
  return {
    add: (event, { council, market, width }) => {
      ours.add(event, council);
      theirs.add(event, market);
      paired.add(event, council, market, width);
    },
    finish: slice => {
      const { first, second, ...difference } = paired.finish(slice);
      return {
        council: ours.finish(slice),
        market: theirs.finish(slice),
        paired_difference: { ...difference, council_brier: first, market_brier: second },
      };
    },
  };
}
