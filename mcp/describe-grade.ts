import type { GradeView } from '../contract/grade.js';

/** How the report turned out, once its event is over; nothing before. */
export function describeGrade(grade: GradeView | null): string[] {
  if (grade === null) return [];
  if (grade.scores === null) return [`Outcome: ${grade.state}, so the report has no score.`];
  const { council, market, outcomes } = grade.scores;
  const happened = outcomes.filter(outcome => outcome.happened === 1).map(({ name }) => name);
  return [
    `Outcome: ${happened.join(', ') || 'none of them'}. Brier score (0 is perfect): council ${council?.brier ?? 'none'}, ` +
      `market at the same moment ${market?.brier ?? 'none'}. One report shows no skill: see get_track_record.`,
  ];
}
