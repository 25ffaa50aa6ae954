import { type ExpressionBuilder, sql } from 'kysely';
import type { GradeState } from '../../record/grades/grade.js';
import { type GradeBasis, type GradeChangeReason, reasonOfChange } from '../../record/grades/grade-change.js';
import type { GradingSelection } from '../../record/grades/grading.js';
import type { Db } from '../database.js';
import type { Database } from '../schema/schema.js';
import { selectedReports } from './grading-selections.js';

/** A report whose grade counts since a moment, and the grade that counted before. */
export interface ChangedGrade {
  readonly reportId: number;
  /** Null if it had none. */
  readonly before: GradeState | null;
  readonly after: GradeState;
  readonly reason: GradeChangeReason;
  readonly gradedAt: Date;
}

/** The reports of a selection that got another grade since a moment, a page at a time, by their ids. */
export async function listChangedGrades(
  db: Db,
  selection: GradingSelection,
  { since, after, limit }: { since: Date; after: number; limit: number },
): Promise<ChangedGrade[]> {
  const rows = await selectedReports(db, selection)
    .innerJoinLateral(
      eb => currentGrade(eb).as('newest'),
      join => join.onTrue(),
    )
    .leftJoinLateral(
      eb => currentGrade(eb).where('grade.graded_at', '<', since).as('earlier'),
      join => join.onTrue(),
    )
    .select([
      'report.id as reportId',
      'newest.state',
      'newest.grader',
      'newest.outcomes',
      'newest.graded_at as gradedAt',
      'earlier.state as earlierState',
      'earlier.grader as earlierGrader',
      'earlier.outcomes as earlierOutcomes',
    ])
    .where('newest.graded_at', '>=', since)
    .where('report.id', '>', after)
    .orderBy('report.id')
    .limit(limit)
    .execute();
  return rows.map(
    ({ reportId, state, gradedAt, earlierState, earlierGrader, earlierOutcomes, ...newest }) => {
      const before: GradeBasis | null =
        earlierState === null || earlierGrader === null || earlierOutcomes === null
          ? null
          : { state: earlierState, grader: earlierGrader, outcomes: earlierOutcomes };
      return {
        reportId,
        before: earlierState,
        after: state,
        reason: reasonOfChange(before, newest),
        gradedAt,
      };
    },
  );
}

/** The last grade of `report` under its newest graded resolution. */
function currentGrade(eb: ExpressionBuilder<Database & { report: Database['reports'] }, 'report'>) {
  return eb
    .selectFrom('grades as grade')
    .innerJoin('resolutions as resolution', 'resolution.id', 'grade.resolution_id')
    .select(['grade.state', 'grade.grader', 'grade.graded_at', 'resolution.outcomes'])
    .where('grade.report_id', '=', sql.ref<number>('report.id'))
    .orderBy('grade.resolution_id', 'desc')
    .orderBy('grade.id', 'desc')
    .limit(1);
}
