import { type CouncilModel, councilModels } from '../models.js';
import type { Action } from '../report.js';
import {
  type BetFigures,
  betFiguresBuilder,
  type CalibrationBin,
  type CouncilAndMarket,
  calibrationBuilder,
  type Figures,
  figuresBuilder,
  type PairedDifference,
  type ScoreSummary,
  scoreSummaryBuilder,
} from './figures.js';
import type { GradeState, ReportScores } from './grade.js';
import { trackRecordVerdict } from './record-verdict.js';
import type { RecordedForecast } from './recorded-forecast.js';

/** A recorded report with its newest grade. */
export interface GradedRow {
  readonly forecast: RecordedForecast;
  readonly state: GradeState;
  readonly scores: ReportScores | null;
}

/** By newest grade: `completed` = `graded` + `pending` + `void` + `fifty_fifty` + `disputed`. */
export interface Counts {
  readonly completed: number;
  readonly graded: number;
  readonly pending: number;
  readonly void: number;
  readonly fifty_fifty: number;
  readonly disputed: number;
  readonly failed: number;
}

/**
 * The public track record. Every graded report counts once, with equal weight. Figures are unrounded and can
 * be recomputed from the exported rows in ascending `report_id`, the order that the intervals depend on.
 */
export interface TrackRecord {
  /** ISO 8601, UTC. When the figures were computed; null if they have not been. */
  readonly as_of: string | null;
  readonly counts: Counts;
  /** Number of events among the graded reports. */
  readonly events: number;
  readonly council: Figures;
  readonly market: Figures;
  readonly blend: Figures;
  readonly paired_difference: PairedDifference;
  /** 1 − Brier of the council / Brier of the market, on the paired reports; above 0 the council is better. */
  readonly skill: number | null;
  readonly calibration: readonly CalibrationBin[];
  /** Each member alone, and their arithmetic mean. */
  readonly by_model: Readonly<Record<CouncilModel | 'mean', Figures>>;
  readonly by_action: Readonly<Record<Action, ScoreSummary>>;
  readonly by_flag: Readonly<Record<Flag, ScoreSummary>>;
  readonly bets: BetFigures;
  /** Only the first graded report of each event, so that all events count equally. */
  readonly first_report_per_event: ScoreSummary;
  readonly verdict_text: string;
}

type Flag = 'degraded' | 'not_degraded' | 'conflict' | 'no_conflict';

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
    add: ({ forecast, scores }) => {
      if (scores !== null) addTo(parts, forecast, scores);
    },
    finish: (counts, asOf) => finish(parts, counts, asOf),
  };
}

type Parts = ReturnType<typeof createParts>;

function createParts() {
  return {
    all: scoreSummaryBuilder(),
    blend: figuresBuilder(),
    calibration: calibrationBuilder(),
    models: {
      claude: figuresBuilder(),
      gpt: figuresBuilder(),
      gemini: figuresBuilder(),
      grok: figuresBuilder(),
      mean: figuresBuilder(),
    },
    actions: { BUY_YES: scoreSummaryBuilder(), BUY_NO: scoreSummaryBuilder(), SKIP: scoreSummaryBuilder() },
    flags: {
      degraded: scoreSummaryBuilder(),
      not_degraded: scoreSummaryBuilder(),
      conflict: scoreSummaryBuilder(),
      no_conflict: scoreSummaryBuilder(),
    },
    bets: betFiguresBuilder(),
    first: firstReports(),
  };
}

function addTo(parts: Parts, forecast: RecordedForecast, scores: ReportScores): void {
  const { event_id: eventId, action, degraded, conflict } = forecast;
  parts.all.add(eventId, scores);
  parts.blend.add(scores.blend);
  parts.calibration.add(forecast, scores.outcomes);
  for (const model of councilModels) parts.models[model].add(scores.members[model] ?? null);
  parts.models.mean.add(scores.mean);
  parts.actions[action].add(eventId, scores);
  parts.flags[degraded ? 'degraded' : 'not_degraded'].add(eventId, scores);
  parts.flags[conflict ? 'conflict' : 'no_conflict'].add(eventId, scores);
  parts.bets.add(eventId, scores.bets);
  parts.first.add(eventId, scores);
}

function finish(parts: Parts, counts: Counts, asOf: string | null): TrackRecord {
  const { all, first, models, actions, flags } = parts;
  const { council, market, paired_difference } = all.finish();
  const { events, summary: first_report_per_event } = first.finish();
  const bets = parts.bets.finish();
  return {
    as_of: asOf,
    counts,
    events,
    council,
    market,
    blend: parts.blend.finish(),
    paired_difference,
    skill: skillOf(paired_difference),
    calibration: parts.calibration.finish(),
    by_model: {
      claude: models.claude.finish(),
      gpt: models.gpt.finish(),
      gemini: models.gemini.finish(),
      grok: models.grok.finish(),
      mean: models.mean.finish(),
    },
    by_action: {
      BUY_YES: actions.BUY_YES.finish(),
      BUY_NO: actions.BUY_NO.finish(),
      SKIP: actions.SKIP.finish(),
    },
    by_flag: {
      degraded: flags.degraded.finish(),
      not_degraded: flags.not_degraded.finish(),
      conflict: flags.conflict.finish(),
      no_conflict: flags.no_conflict.finish(),
    },
    bets,
    first_report_per_event,
    verdict_text: trackRecordVerdict(paired_difference, bets),
  };
}

function skillOf({ council_brier: council, market_brier: market }: PairedDifference): number | null {
  return council === null || market === null || market === 0 ? null : 1 - council / market;
}

/** Takes only the first row of each event. */
function firstReports() {
  const seen = new Set<string>();
  const first = scoreSummaryBuilder();
  return {
    add: (eventId: string, scores: CouncilAndMarket): void => {
      if (seen.has(eventId)) return;
      seen.add(eventId);
      first.add(eventId, scores);
    },
    /** The number of events, and the scores of their first reports. */
    finish: (): { readonly events: number; readonly summary: ScoreSummary } => ({
      events: seen.size,
      summary: first.finish(),
    }),
  };
}
