import { z } from 'zod';
import { sliceAdjustments } from '../record/figures/slice-adjustment.js';
import { count, fraction, interval, list, model } from './parts.js';

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

/** The events of one category, of those that are not named, or without one. */
export const categoryFiguresShape = z
  .object({
    slice: z
      .enum(['category', 'other', 'none'])
      .describe(
        '`category`: one of the ten categories with the most events. `other`: all further ones. `none`: events without a category.',
      ),
    category: z.string().nullable().describe('Null unless the slice is one category.'),
    categories: count.describe('Number of categories in the slice.'),
    ...scoreSummaryShape.shape,
    estimate: figuresShape,
    estimate_difference: estimateDifferenceShape,
  })
  .meta({ id: 'CategoryFigures' });

export const outsideViewFiguresShape = z
  .object({
    outside_view: figuresShape,
    council: figuresShape,
    market: figuresShape,
    estimate: figuresShape,
    difference: z
      .object({
        ...difference(
          'the council minus that of the pooled outside view. Below 0, the council is better than its base rates.',
        ),
        council_brier: numberOrNull,
        outside_view_brier: numberOrNull,
      })
      .meta({ id: 'OutsideViewDifference' }),
  })
  .meta({ id: 'OutsideViewFigures' })
  .describe(
    'What base rates alone would have scored, beside council, market and estimate on the same reports: those on questions with two outcomes whose members named base rates. None are of 1.0.0.',
  );

/** Council without a member − council, on the reports in which it and another one have a forecast. */
const leftOutShape = z
  .object({
    ...difference(
      'the council without this member minus that with it, both pooled from the members’ percents. Above 0, the council is worse without it.',
    ),
    without_brier: numberOrNull,
    council_brier: numberOrNull,
  })
  .meta({ id: 'LeftOut' });

/** How alike the members err, and what each is worth. */
export const memberFiguresShape = z
  .object({
    error_correlation: z.object({
      mean: numberOrNull.describe('Mean over the pairs that have one.'),
      effective_members: numberOrNull.describe(
        'So many members of the same skill whose errors have nothing in common would make a mean as good as that of these four: 4 / (1 + 3 · mean).',
      ),
      pairs: list(
        z.object({
          members: z.tuple([model, model]).readonly(),
          n: reportsCounted,
          events: eventsCounted,
          correlation: z
            .number()
            .min(-1)
            .max(1)
            .nullable()
            .describe(
              'How alike the two err, −1 to 1, each event with one vote. Good members of different minds are above 0 too, because the chance in outcomes is in the errors of all.',
            ),
        }),
      ),
    }),
    left_out: z.object({
      claude: leftOutShape,
      gpt: leftOutShape,
      gemini: leftOutShape,
      grok: leftOutShape,
    }),
  })
  .meta({ id: 'MemberFigures' });

/** What a dollar has become that was staked against the market's prices. */
const wealthShape = z
  .object({
    n: count.describe('Number of bets, or of questions, that decide the returns.'),
    events: eventsCounted,
    log_wealth: z
      .number()
      .describe(
        'Natural logarithm of the dollars that one dollar has become: evidence against the prices that may be looked at at any time. With fair prices, wealth ever reaches $20 (3.0) with a chance of 5 % at most.',
      ),
    max_log_wealth: z
      .number()
      .min(0)
      .describe('The highest value so far, with the events in the order of their resolutions.'),
    text: z.string().describe('The same in words.'),
  })
  .meta({ id: 'Wealth' });

export const wealthFiguresShape = z
  .object({
    council: wealthShape.describe('The council’s probabilities against the market’s.'),
    estimate: wealthShape.describe('The estimate’s probabilities against the market’s.'),
    bets: wealthShape.describe('All bets at their costs.'),
    edge_bets: wealthShape,
    picks: wealthShape,
  })
  .meta({ id: 'WealthFigures' });

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

/** A bankroll that follows the stakes. */
export const stakeFiguresShape = z
  .object({
    n: count.describe('Number of bets with a stake.'),
    events: count.describe(
      'Number of events that they belong to. Each event has one vote, its first report with a stake.',
    ),
    mean_log_growth: numberOrNull.describe(
      'The mean over the events of the natural logarithm of what a dollar of the bankroll became: all bets of an event together. Above 0, the bankroll grows.',
    ),
    ...intervals,
    bankroll: z.number().describe('Dollars that one dollar has become after all events.'),
  })
  .describe(
    'The growth of a bankroll that puts `stake_fraction` on each bet, at the cost that the report named. Stakes that were returned do not count; reports of release 1.0.0 have none.',
  )
  .meta({ id: 'StakeFigures' });

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

const sliceAdjustmentShape = z.enum(sliceAdjustments).meta({ id: 'SliceAdjustment' });

export const sliceAdjustmentsShape = z
  .object({
    by_model: sliceAdjustmentShape,
    by_action: sliceAdjustmentShape,
    by_flag: sliceAdjustmentShape,
    by_evidence: sliceAdjustmentShape,
    by_category: sliceAdjustmentShape,
    bets_by_kind: sliceAdjustmentShape,
    left_out: sliceAdjustmentShape,
    wealth: sliceAdjustmentShape,
  })
  .describe(
    'How the confidence sequences of each set of slices allow for there being several. `bonferroni`: each allows an error of 5 % divided by the number of slices (by category: always by 12). `none`: means without a claim about a difference; of `wealth`, each claim alone.',
  );
