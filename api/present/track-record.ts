import type { GradeView } from '../../contract/grade.js';
import type { TrackRecordRowView } from '../../contract/track-record.js';
import type { CurrentGrade } from '../../db/track-record/grades.js';
import type { ExportedGradeRow } from '../../db/track-record/track-record.js';
import type { ReportScores } from '../../record/grades/grade.js';

/**
 * One row of the export, from which the published figures can be recomputed. Percentages are those of the
 * report. Outcomes, scores and wins are null unless the report is graded.
 */
export function presentTrackRecordRow({
  reportId,
  forecast,
  state,
  scores,
  grader,
  gradedAt,
  resolution,
}: ExportedGradeRow): TrackRecordRowView {
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
    graded_at: gradedAt.toISOString(),
    grader,
    exclusive: forecast.exclusive,
    degraded: forecast.degraded,
    conflict: forecast.conflict,
    action: forecast.action,
    queried_market: forecast.queried_market,
    estimate_weights: forecast.estimate_weights,
    evidence: forecast.evidence,
    headline: forecast.headline,
    outcomes: forecast.outcomes.map((outcome, index) => ({
      ...outcome,
      happened: scores?.outcomes[index]?.happened ?? null,
    })),
    scores: scores === null ? null : presentScores(scores),
    bets: forecast.bets.map((bet, index) => ({
      ...bet,
      won: scores?.bets[index]?.won ?? null,
      return_per_dollar: scores?.bets[index]?.return_per_dollar ?? null,
    })),
    resolution: {
      first_observed_at: resolution.firstObservedAt.toISOString(),
      observed_at: resolution.observedAt.toISOString(),
      outcomes: resolution.outcomes,
      evidence: { ...resolution.evidence },
    },
  };
}

/** Scores are null if the event had no result to grade by. */
export function presentGrade({
  state,
  scores,
  grader,
  gradedAt,
  resolution,
  corrected,
}: CurrentGrade): GradeView {
  return {
    state,
    grader,
    graded_at: gradedAt.toISOString(),
    resolved_at: resolution.observedAt.toISOString(),
    corrected,
    scores:
      scores === null ? null : { ...presentScores(scores), outcomes: scores.outcomes, bets: scores.bets },
  };
}

/** Omits the outcomes and bets, which stand elsewhere in a row. */
function presentScores(scores: ReportScores): TrackRecordScores {
  const { council, market, blend, mean, members, estimate, first_council, first_members } = scores;
  return { council, market, blend, mean, members, estimate, first_council, first_members };
}

type TrackRecordScores = NonNullable<TrackRecordRowView['scores']>;
