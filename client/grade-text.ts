import type { GradeView } from '../contract/grade.js';

/**
 * How good the forecast of a report was, for the command line and the MCP tools. Empty until its event has an outcome.
 *
 * @param record where the reader finds the track record
 */
export function gradeLines(grade: GradeView | null, record: string): string[] {
  if (grade === null) return [];
  if (grade.scores === null) return [`Outcome: ${grade.state}, so the report has no score.`];
  const { council, market, estimate, outcomes } = grade.scores;
  const happened = outcomes.filter(outcome => outcome.happened === 1).map(({ name }) => name);
  return [
    `Outcome: ${happened.join(', ') || 'none of them'}. Brier score (0 is perfect): council ${brier(council)}, ` +
      `market at the same moment ${brier(market)}, estimate ${brier(estimate)}. One report is no evidence of skill: see ${record}.`,
  ];
}

type Scores = NonNullable<GradeView['scores']>;

function brier(score: Scores['estimate']): string {
  return score ? score.brier.toFixed(3) : 'none';
}
