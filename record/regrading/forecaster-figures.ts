import { at } from '../../council/numbers.js';
import { type CalibrationBin, calibrationBuilder } from '../figures/calibration.js';
import type { Interval } from '../figures/event-mean.js';
import type { MemberMeans } from '../figures/member-figures.js';
import { type MeasurementMean, type OrderedMeans, orderedMeans } from '../figures/ordered-means.js';
import type { RowScore, ScoredRow } from './row-scores.js';

/** One forecaster over the rows that it has numbers for. */
export interface ForecasterFigures {
  /** Number of rows. */
  readonly n: number;
  readonly events: number;
  /** Each outcome as a yes/no question: the mean over a row's outcomes of (p − y)². Saying ½ scores 0.25. */
  readonly brier_binary_0_to_1: MeasurementMean;
  /**
   * Σ(p − y)² over all outcomes of a row, both sides of a yes/no question included: the Brier score of the service's
   * grades. Saying ½ on a yes/no question scores 0.5.
   */
  readonly brier_vector_0_to_2: MeasurementMean;
  /** −ln of the probability of what happened, at least 0.001. */
  readonly log_score: MeasurementMean;
  readonly calibration: readonly CalibrationBin[];
  /** On the rows that the market has numbers for too. Null for the market itself, and without such rows. */
  readonly against_market: AgainstMarket | null;
}

/** By `brier_binary_0_to_1`, on the same rows. */
export interface AgainstMarket extends ScoreDifference {
  readonly brier_binary_0_to_1: number;
  readonly market_brier_binary_0_to_1: number;
  /** 1 − forecaster / market; null if the market made no error. */
  readonly skill: number | null;
}

/** The score of one minus that of the other, on the rows that have both. Below 0 the first one is better. */
interface ScoreDifference {
  readonly n: number;
  readonly events: number;
  readonly difference: number;
  readonly difference_interval_95: Interval;
  readonly difference_mean_of_events: number | null;
}

/** The council without a member minus the council, by the Brier score of the whole vector. Null without rows of both. */
export type WithoutMember =
  | (ScoreDifference & {
      readonly without_brier_vector_0_to_2: number;
      readonly council_brier_vector_0_to_2: number;
    })
  | null;

/** Figures of members whose rows come by event. */
export const inOrder: MemberMeans<WithoutMember> = {
  createMeans: orderedMeans,
  createLeftOut: () => {
    const paired = orderedMeans(3);
    return {
      add: (event, without, council) =>
        paired.add(event, [without.brier - council.brier, without.brier, council.brier]),
      finish: () => {
        const found = compared(paired);
        return (
          found && {
            ...found.difference,
            without_brier_vector_0_to_2: found.first,
            council_brier_vector_0_to_2: found.second,
          }
        );
      },
    };
  },
};

export interface Scored {
  readonly row: readonly number[];
  readonly score: RowScore;
}

export type ForecasterFiguresBuilder = ReturnType<typeof forecasterFiguresBuilder>;

export function forecasterFiguresBuilder() {
  const scores = orderedMeans(3);
  const paired = orderedMeans(3);
  const calibration = calibrationBuilder(orderedMeans);
  return {
    /** @param market null for the market itself, and where it has no numbers */
    add: (event: number, { results }: ScoredRow, { row, score }: Scored, market: RowScore | null): void => {
      scores.add(event, [score.binary, score.brier, score.log_score]);
      const outcomes = row.map((p, index) => ({ council: p * 100, side: at(results, index).side }));
      calibration.add(event, { outcomes }, results);
      if (market !== null) paired.add(event, [score.binary - market.binary, score.binary, market.binary]);
    },
    finish: (): ForecasterFigures => {
      const { n, events, measurementMean } = scores.finish();
      return {
        n,
        events,
        brier_binary_0_to_1: measurementMean(0),
        brier_vector_0_to_2: measurementMean(1),
        log_score: measurementMean(2),
        calibration: calibration.finish(),
        against_market: againstMarket(paired),
      };
    },
  };
}

function againstMarket(paired: OrderedMeans): AgainstMarket | null {
  const found = compared(paired);
  if (found === null) return null;
  const { first, second, difference } = found;
  return {
    ...difference,
    brier_binary_0_to_1: first,
    market_brier_binary_0_to_1: second,
    skill: second === 0 ? null : 1 - first / second,
  };
}

/** @param paired of each row the difference of two scores, then the scores */
function compared(paired: OrderedMeans) {
  const { n, events, measurementMean } = paired.finish();
  const { mean, interval_95, mean_of_events } = measurementMean(0);
  const [first, second] = [measurementMean(1).mean, measurementMean(2).mean];
  if (mean === null || first === null || second === null) return null;
  const difference: ScoreDifference = {
    n,
    events,
    difference: mean,
    difference_interval_95: interval_95,
    difference_mean_of_events: mean_of_events,
  };
  return { first, second, difference };
}
