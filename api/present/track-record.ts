import type { GradeView } from '../../contract/grade.js';
import type { TrackRecordRowView } from '../../contract/track-record.js';
import { isFinal } from '../../council/market/final-word.js';
import type { CurrentGrade } from '../../db/track-record/grades.js';
import type { ExportedGradeRow } from '../../db/track-record/track-record.js';
import { isOpen, type ReportScores } from '../../record/grades/grade.js';
import type { RecordedForecast } from '../../record/recorded-forecast.js';

/**
 * One row of the export, from which the published figures can be recomputed. Percentages are those of the
 * report. Outcomes, scores and wins are null unless the report is graded. Of a market that is open, the row has no
 * number: the report's buyer may still trade on it.
 */
export function presentTrackRecordRow(row: ExportedGradeRow): TrackRecordRowView {
  const { reportId, forecast, state, openMarkets, scores, grader, gradedAt, resolvedAt, resolution } = row;
  const { rulesChanged } = row;
  const isQueriedOpen = isOpen(scores, forecast.queried_market);
  return {
    report_id: reportId,
    event_id: forecast.event_id,
    event_title: forecast.event_title,
    category: forecast.category,
    method: forecast.method,
    models: forecast.model_ids,
    completed_at: forecast.completed_at,
    prices_at: forecast.prices_at,
    state,
    rules_changed: rulesChanged,
    open_markets: openMarkets,
    graded_at: gradedAt.toISOString(),
    grader,
    exclusive: forecast.exclusive,
    degraded: forecast.degraded,
    conflict: forecast.conflict,
    action: isQueriedOpen ? null : forecast.action,
    queried_market: isQueriedOpen ? null : forecast.queried_market,
    estimate_weights: forecast.estimate_weights,
    evidence: forecast.evidence,
    headline: isOpen(scores, forecast.headline.outcome) ? null : forecast.headline,
    outside_view: (forecast.outside_view ?? []).filter(({ outcome }) => !isOpen(scores, outcome)),
    scores: scores === null ? null : presentScores(scores),
    ...presentResults(forecast, scores),
    resolution: {
      first_observed_at: resolution.firstObservedAt.toISOString(),
      observed_at: resolvedAt.toISOString(),
      outcomes: resolution.outcomes,
      evidence: { ...resolution.evidence },
    },
  };
}

function presentResults(
  forecast: RecordedForecast,
  scores: ReportScores | null,
): Pick<TrackRecordRowView, 'outcomes' | 'bets'> {
  return {
    outcomes: forecast.outcomes.flatMap((outcome, index) => {
      const result = scores?.outcomes[index];
      return result?.open ? [] : [{ ...outcome, happened: result?.happened ?? null }];
    }),
    bets: forecast.bets.flatMap((bet, index) => {
      const { won = null, return_per_dollar = null, open } = scores?.bets[index] ?? {};
      const { stake_fraction = null } = bet;
      return open ? [] : [{ ...bet, stake_fraction, won, return_per_dollar }];
    }),
  };
}

/** What was read from prices has no word, and names them as what decided. */
function presentGradedMarkets(
  { outcomes, words }: CurrentGrade['resolution'],
  rulesChanged: ReadonlySet<string>,
): GradeView['markets'] {
  return Object.entries(outcomes).map(([marketId, resolution]) => {
    const word = words?.[marketId];
    return {
      market_id: marketId,
      resolution,
      final_at: word?.finalAt ?? null,
      decided_by: words === null && isFinal(resolution) ? 'prices' : (word?.decidedBy ?? null),
      was_disputed: word?.wasDisputed ?? resolution === 'disputed',
      rules_changed: rulesChanged.has(marketId),
      settlement_value: word?.settlementValue ?? null,
    };
  });
}

/**
 * Scores are null if the event had no result to grade by.
 *
 * @param rulesChanged the ids of the markets whose rules had changed since the sale
 */
export function presentGrade(grade: CurrentGrade, rulesChanged: ReadonlySet<string>): GradeView {
  const { state, openMarkets, scores, grader, gradedAt, resolution, corrected } = grade;
  return {
    state,
    open_markets: openMarkets,
    grader,
    graded_at: gradedAt.toISOString(),
    resolved_at: resolution.observedAt.toISOString(),
    corrected,
    markets: presentGradedMarkets(resolution, rulesChanged),
    scores:
      scores === null
        ? null
        : {
            ...presentScores(scores),
            outcomes: scores.outcomes.map(outcome => ({ ...outcome, open: outcome.open ?? false })),
            bets: scores.bets.map(bet => ({ ...bet, open: bet.open ?? false })),
          },
  };
}

/** Omits the outcomes and bets, which stand elsewhere in a row. */
function presentScores(scores: ReportScores): TrackRecordScores {
  const { council, market, blend, mean, members, estimate, first_council, first_members } = scores;
  return { council, market, blend, mean, members, estimate, first_council, first_members };
}

type TrackRecordScores = NonNullable<TrackRecordRowView['scores']>;
