import type { GradeView } from '../../contract/grade.js';
import type { GradeThatCounts } from '../../db/grades.js';

/** How good a report turned out to be; its scores are null where there was nothing to grade by. */
export function presentGrade({
  state,
  scores,
  grader,
  gradedAt,
  resolution,
  corrected,
}: GradeThatCounts): GradeView {
  return {
    state,
    grader,
    graded_at: gradedAt.toISOString(),
    resolved_at: resolution.observedAt.toISOString(),
    corrected,
    scores,
  };
}
