import { graderVersion } from '../grades/grade.js';
import type { Score } from '../grades/grade-scores.js';
import type { GradableRow, OldGrade, RowRule, RowState } from './gradable-row.js';
import { type SettledRow, sameNumber, settledBy } from './settle-row.js';

/** A row that came with a grade, and the new one. */
export interface ComparedGrade {
  readonly event: string;
  readonly id: string;
  readonly old: ShownGrade;
  readonly new: ShownGrade;
  /** Empty if the grades are the same. */
  readonly why: readonly Difference[];
}

/** Of the council. The Brier score is that of the whole vector, 0 to 2. */
export interface ShownGrade {
  readonly grader: string;
  readonly state: RowState;
  readonly brier_vector_0_to_2: number | null;
  readonly log_score: number | null;
}

/**
 * Why two grades differ: a rule left the row out or let it in, other answers were given, another grader made the old one,
 * or its scores do not follow from the row.
 */
export type Difference = RowRule | 'other_resolution' | 'other_grader' | 'other_scores';

/** @param score the council's under the new rules; null unless it is graded */
export function compareGrades(
  row: GradableRow,
  old: OldGrade,
  settled: SettledRow,
  score: Score | null,
): ComparedGrade {
  const { id, event } = row;
  const before = shown(old.grader, old.state, old.score);
  const after = shown(graderVersion, settled.state, score);
  const isUnchanged = isSame(before, after);
  return {
    event,
    id,
    old: before,
    new: after,
    why: isUnchanged ? [] : differences(row, old, settled),
  };
}

function shown(grader: string, state: RowState, score: Score | null): ShownGrade {
  return {
    grader,
    state,
    brier_vector_0_to_2: score?.brier ?? null,
    log_score: score?.log_score ?? null,
  };
}

function isSame(one: ShownGrade, other: ShownGrade): boolean {
  return (
    one.state === other.state &&
    sameOrNull(one.brier_vector_0_to_2, other.brier_vector_0_to_2) &&
    sameOrNull(one.log_score, other.log_score)
  );
}

function sameOrNull(one: number | null, other: number | null): boolean {
  return one === null || other === null ? one === other : sameNumber(one, other);
}

function differences(row: GradableRow, old: OldGrade, settled: SettledRow): Difference[] {
  const [byOld, byNew] = [settledBy(row, old.resolutions), settledBy(row, row.resolutions)];
  const isOther = JSON.stringify(byOld) !== JSON.stringify(byNew);
  const found: Difference[] = [
    ...(isOther ? (['other_resolution'] as const) : []),
    ...(settled.left_out_by === null ? [] : [settled.left_out_by]),
    ...(settled.state === 'graded' && byNew.state !== 'graded' ? (['scalar'] as const) : []),
  ];
  if (found.length > 0) return found;
  return [old.grader === graderVersion ? 'other_scores' : 'other_grader'];
}
