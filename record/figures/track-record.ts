import { type CouncilModel, councilModels } from '../../council/models.js';
import { at } from '../../council/numbers.js';
import type { GradeState, ReportScores } from '../grades/grade.js';
import type { RecordedForecast } from '../recorded-forecast.js';
import { type BetFigures, betFiguresBuilder } from './bet-figures.js';
import { type CalibrationBin, calibrationBuilder } from './calibration.js';
import { type CategoryFigures, figuresByCategory } from './category-figures.js';
import { brierWidth } from './confidence-sequence.js';
import { type EventSlice, eventNumbers } from './event-mean.js';
import {
  type CouncilAndMarket,
  differenceBuilder,
  type EstimateDifference,
  type Figures,
  figuresBuilder,
  type PairedDifference,
  type ReviewDifference,
  type ScoreSummary,
  scoreSummaryBuilder,
} from './figures.js';
import { type MemberFigures, memberFiguresBuilder } from './member-figures.js';
import { type OutsideViewFigures, outsideViewFiguresBuilder } from './outside-view-figures.js';
import { trackRecordVerdict } from './record-verdict.js';
import { type SliceAdjustments, sliceAdjustment } from './slice-adjustment.js';
import { type SliceFigures, sliceFiguresBuilder } from './slice-figures.js';
import { type StakeFigures, stakeFiguresBuilder } from './stake-figures.js';
import { type WealthFigures, wealthFiguresBuilder } from './wealth.js';

/** A recorded report with its newest grade. */
export interface GradedRow {
  readonly forecast: RecordedForecast;
  readonly state: GradeState;
  readonly scores: ReportScores | null;
  /** When the resolution of its event that the grade follows was read from the market. */
  readonly resolvedAt: Date;
  /** Whether other rules of the event were read after the sale and before the grade. */
  readonly rulesChanged: boolean;
}

/**
 * The entries of the record by kind, and the reports by newest grade: `completed` = `graded` + `pending` + `void` +
 * `fifty_fifty` + `disputed`.
 */
export interface Counts {
  readonly sold: number;
  readonly completed: number;
  readonly graded: number;
  readonly pending: number;
  readonly void: number;
  readonly fifty_fifty: number;
  readonly disputed: number;
  readonly failed: number;
}

export const figuresVersion = 'figures/2';

/**
 * The public track record. One event, one vote: in every figure an event counts with the mean of its graded reports,
 * however many were bought. Figures are unrounded and can be recomputed from the exported rows in ascending
 * `report_id`, the order that `interval_95` depends on. `verdict_text` follows the confidence sequences.
 */
export interface TrackRecord extends SliceFigures {
  /** Changes with every rule by which the figures are computed; figures of another version are computed again. */
  readonly figures_version: string;
  /** ISO 8601, UTC. When the figures were computed; null if they have not been. */
  readonly as_of: string | null;
  readonly counts: Counts;
  /** Number of events among the graded reports. */
  readonly events: number;
  readonly council: Figures;
  readonly market: Figures;
  readonly blend: Figures;
  /** Council and market by learnt weights, by which bets are priced; on reports that have it. */
  readonly estimate: Figures;
  readonly paired_difference: PairedDifference;
  readonly estimate_difference: EstimateDifference;
  /** The value of cross-review, on reports whose first opinions were recorded. */
  readonly review: ReviewDifference;
  /** 1 − Brier of the council / Brier of the market, on the paired reports; above 0 the council is better. */
  readonly skill: number | null;
  readonly calibration: readonly CalibrationBin[];
  /** Each member alone, and their arithmetic mean. */
  readonly by_model: Readonly<Record<CouncilModel | 'mean', Figures>>;
  readonly by_category: readonly CategoryFigures[];
  /** On questions with two outcomes. */
  readonly outside_view: OutsideViewFigures;
  readonly bets: BetFigures;
  readonly stakes: StakeFigures;
  readonly members: MemberFigures;
  readonly wealth: WealthFigures;
  /** How the sequences of each set of slices allow for there being several. */
  readonly slice_adjustment: SliceAdjustments;
  /** The first graded report of each event: a check that repeated reports do not decide the figures. */
  readonly first_report_per_event: ScoreSummary;
  /** Without the reports whose rules were changed between sale and grade: they were graded by a question of their own. */
  readonly rules_unchanged: ScoreSummary;
  readonly verdict_text: string;
}

export interface TrackRecordBuilder {
  /** Rows come in ascending `report_id`. A row without scores is only part of the counts. */
  add(row: GradedRow): void;
  finish(counts: Counts, asOf: string | null): TrackRecord;
}

/** The track record of rows that are in memory. */
export function trackRecord(rows: Iterable<GradedRow>, counts: Counts, asOf: string | null): TrackRecord {
  const record = trackRecordBuilder();
  for (const row of rows) record.add(row);
  return record.finish(counts, asOf);
}

/** Takes rows one by one and keeps a few numbers per event instead of the rows. */
export function trackRecordBuilder(): TrackRecordBuilder {
  const parts = createParts();
  return {
    add: ({ scores, ...row }) => {
      if (scores !== null) addTo(parts, { ...row, scores });
    },
    finish: (counts, asOf) => finish(parts, counts, asOf),
  };
}

type Parts = ReturnType<typeof createParts>;

function createParts() {
  return {
    events: eventNumbers(),
    all: scoreSummaryBuilder(),
    blend: figuresBuilder(),
    estimate: figuresBuilder(),
    estimateDifference: differenceBuilder(1),
    review: differenceBuilder(1),
    calibration: calibrationBuilder(),
    models: {
      claude: figuresBuilder(),
      gpt: figuresBuilder(),
      gemini: figuresBuilder(),
      grok: figuresBuilder(),
      mean: figuresBuilder(),
    },
    slices: sliceFiguresBuilder(),
    outsideView: outsideViewFiguresBuilder(),
    bets: betFiguresBuilder(),
    stakes: stakeFiguresBuilder(),
    members: memberFiguresBuilder(),
    wealth: wealthFiguresBuilder(),
    first: firstReports(),
    rulesUnchanged: scoreSummaryBuilder(),
  };
}

function addTo(
  parts: Parts,
  { forecast, scores, resolvedAt, rulesChanged }: Omit<GradedRow, 'state'> & { scores: ReportScores },
): void {
  const event = parts.events.numberOf(forecast.event_id);
  const { council, market, estimate, first_council: firstCouncil } = scores;
  const widthOf = widths(forecast, scores);
  const compared = { council, market, width: widthOf('council', 'market') };
  parts.all.add(event, compared);
  parts.blend.add(event, scores.blend);
  parts.estimate.add(event, estimate);
  parts.estimateDifference.add(event, estimate, market, widthOf('estimate', 'market'));
  parts.review.add(event, council, firstCouncil, widthOf('council', 'first_council'));
  parts.calibration.add(event, forecast, scores.outcomes);
  for (const model of councilModels) parts.models[model].add(event, scores.members[model] ?? null);
  parts.models.mean.add(event, scores.mean);
  parts.slices.add(event, forecast, scores, compared);
  parts.outsideView.add(event, forecast, scores);
  parts.bets.add(event, forecast.bets, scores.bets);
  parts.stakes.add(event, forecast, scores.bets);
  parts.members.add(event, forecast, scores);
  parts.wealth.add(event, forecast, scores, resolvedAt);
  parts.first.add(event, compared, forecast.category);
  if (!rulesChanged) parts.rulesUnchanged.add(event, compared);
}

/** See `brierWidth`; on the outcomes that are scored. */
function widths({ outcomes, exclusive }: RecordedForecast, scores: ReportScores) {
  const scored = outcomes.filter((_, index) => at(scores.outcomes, index).happened !== null);
  const percents = (of: Forecaster) => scored.map(outcome => outcome[of] ?? null);
  return (one: Forecaster, other: Forecaster) => brierWidth(percents(one), percents(other), exclusive);
}

type Forecaster = 'council' | 'market' | 'estimate' | 'first_council';

function finish(parts: Parts, counts: Counts, asOf: string | null): TrackRecord {
  const { all, first, models } = parts;
  const { council, market, paired_difference } = all.finish();
  const differences = { paired_difference, ...otherDifferences(parts) };
  const bets = parts.bets.finish();
  return {
    figures_version: figuresVersion,
    as_of: asOf,
    counts,
    events: parts.events.count(),
    council,
    market,
    blend: parts.blend.finish(),
    estimate: parts.estimate.finish(),
    ...differences,
    skill: skillOf(paired_difference),
    calibration: parts.calibration.finish(),
    by_model: {
      claude: models.claude.finish(),
      gpt: models.gpt.finish(),
      gemini: models.gemini.finish(),
      grok: models.grok.finish(),
      mean: models.mean.finish(),
    },
    ...parts.slices.finish(),
    by_category: byCategory(parts),
    outside_view: parts.outsideView.finish(),
    bets,
    stakes: parts.stakes.finish(),
    members: parts.members.finish(),
    wealth: parts.wealth.finish(),
    slice_adjustment: sliceAdjustment,
    first_report_per_event: first.finish(),
    rules_unchanged: parts.rulesUnchanged.finish(),
    verdict_text: trackRecordVerdict({ ...differences, bets }),
  };
}

function byCategory(parts: Parts): CategoryFigures[] {
  return figuresByCategory(parts.first.categories(), slice => ({
    ...parts.all.finish(slice),
    estimate: parts.estimate.finish(slice),
    estimate_difference: estimateDifference(parts, slice),
  }));
}

function otherDifferences(parts: Parts) {
  const { first: council_brier, second: first_council_brier, ...review } = parts.review.finish();
  return {
    estimate_difference: estimateDifference(parts),
    review: { ...review, council_brier, first_council_brier },
  };
}

function estimateDifference({ estimateDifference: builder }: Parts, slice?: EventSlice): EstimateDifference {
  const { first: estimate_brier, second: market_brier, ...difference } = builder.finish(slice);
  return { ...difference, estimate_brier, market_brier };
}

function skillOf({ council_brier: council, market_brier: market }: PairedDifference): number | null {
  return council === null || market === null || market === 0 ? null : 1 - council / market;
}

/** Takes only the first row of each event. */
function firstReports() {
  const first = scoreSummaryBuilder();
  const categories: (string | null)[] = [];
  return {
    add: (event: number, scores: CouncilAndMarket, category: string | null): void => {
      // Events are numbered in the order of their first reports.
      if (event < categories.length) return;
      categories.push(category);
      first.add(event, scores);
    },
    finish: () => first.finish(),
    /** Of the events, by their numbers. */
    categories: (): readonly (string | null)[] => categories,
  };
}
