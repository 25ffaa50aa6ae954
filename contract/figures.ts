import { z } from 'zod';
import { sliceAdjustments } from '../record/figures/track-record.js';
import { count, fraction, interval } from './parts.js';

export const numberOrNull = z.number().nullable();
const reportsCounted = count.describe('Number of reports.');
const eventsCounted = count.describe('Number of events that they belong to. Each event has one vote.');

/** Means over the events, of the mean of each event's reports; null if n is 0. */
export const figuresShape = z
  .object({
    brier: numberOrNull,
    log_score: numberOrNull,
    hit_rate: numberOrNull,
    n: reportsCounted,
    events: eventsCounted,
  })
  .meta({ id: 'Figures' });

const intervals = {
  interval_95: interval.describe(
    'Bootstrap by event, with a fixed seed. It describes one look at the figure, and is not adjusted for several slices.',
  ),
  confidence_sequence_95: interval.describe(
    'Confidence sequence by event. It may be looked at at any time: the probability that it ever excludes the mean is at most 5 %. In a set of slices whose `slice_adjustment` is `bonferroni`, this holds for all slices together.',
  ),
};

const difference = (of: string) => ({
  n: reportsCounted,
  events: eventsCounted,
  mean: numberOrNull.describe(`The mean over the events of the Brier score of ${of}`),
  ...intervals,
});

/** Council − market, on the reports that score both. */
export const pairedDifferenceShape = z
  .object({
    ...difference('the council minus that of the market. Below 0, the council is better.'),
    council_brier: numberOrNull,
    market_brier: numberOrNull,
  })
  .meta({ id: 'PairedDifference' });

/** Estimate − market, on the reports that score both. */
export const estimateDifferenceShape = z
  .object({
    ...difference('the estimate minus that of the market. Below 0, the estimate is better.'),
    estimate_brier: numberOrNull,
    market_brier: numberOrNull,
  })
  .meta({ id: 'EstimateDifference' });

/** Council − pool of the first opinions, on the reports that recorded them. */
export const reviewDifferenceShape = z
  .object({
    ...difference(
      'the council minus that of the members’ first opinions, pooled. Below 0, the cross-review made the council better.',
    ),
    council_brier: numberOrNull,
    first_council_brier: numberOrNull,
  })
  .meta({ id: 'ReviewDifference' });

export const scoreSummaryShape = z
  .object({
    council: figuresShape,
    market: figuresShape,
    paired_difference: pairedDifferenceShape,
  })
  .meta({ id: 'Standing' });

/** Reports whose members' searches ended alike, and how closely the council followed the market in them. */
export const evidenceFiguresShape = z
  .object({
    ...scoreSummaryShape.shape,
    estimate: figuresShape,
    market_distance_points: z
      .object({
        n: reportsCounted,
        events: eventsCounted,
        mean: numberOrNull.describe('0 to 100. The mean over the events.'),
        interval_95: intervals.interval_95,
      })
      .describe(
        'How far council and market were apart, in percentage points: half the sum of the differences over the outcomes of an exclusive event, which on a yes/no question is their difference; otherwise the mean over the markets. On the reports of `paired_difference`.',
      ),
  })
  .meta({ id: 'EvidenceFigures' });

/** Claims beside results, on the bets that were recorded with a win probability. */
const betClaimsShape = z
  .object({
    n: count.describe('Number of bets.'),
    events: eventsCounted,
    mean: numberOrNull.describe(
      'Actual win rate minus the claimed one, 0..1. Below 0, bets won less often than claimed.',
    ),
    ...intervals,
    claimed_win_rate: fraction.nullable(),
    actual_win_rate: fraction.nullable(),
    claimed_return_per_dollar: numberOrNull,
    actual_return_per_dollar: numberOrNull,
  })
  .meta({ id: 'BetClaims' });

export const returns = {
  n: count.describe('Number of bets.'),
  events: eventsCounted,
  mean_return_per_dollar: numberOrNull.describe(
    'Net dollars per dollar staked: the mean over the events, of the mean of each event’s bets.',
  ),
  ...intervals,
  claims: betClaimsShape,
};
/** Means over the events of n bets; null if n is 0. */
export const returnsShape = z.object(returns).meta({ id: 'Returns' });

export const calibrationBinShape = z
  .object({
    from: fraction,
    to: fraction,
    n: count.describe('Number of outcomes.'),
    events: eventsCounted,
    mean_probability: fraction.nullable(),
    share_happened: fraction.nullable(),
    interval_95: interval.describe('Wilson interval with each event as one trial.'),
  })
  .meta({ id: 'CalibrationBin' });

export const sliceAdjustmentShape = z.enum(sliceAdjustments).meta({ id: 'SliceAdjustment' });
