import type { GradeState, ReportScores } from '../../council/track-record/grade.js';
import type { MarketOutcomes } from '../../council/track-record/recorded-forecast.js';
import type { Db, Tx } from '../database.js';

/**
 * What became of reports. Invariants:
 * - a grade is never changed or removed; a correction, or a new version of the grader, is a row of its own;
 * - one grade a report, resolution and version of the grader, so that grading again changes nothing;
 * - the grade that counts is that under the newest resolution, and of those the last: whoever grades late under an
 *   older resolution changes nothing.
 */
export interface NewGrade {
  readonly reportId: number;
  readonly resolutionId: number;
  readonly grader: string;
  readonly state: GradeState;
  /** Null unless the state is `graded`. */
  readonly scores: ReportScores | null;
  readonly now: Date;
}

/** @returns whether it was not there yet. */
export async function keepGrade(db: Db, grade: NewGrade): Promise<boolean> {
  const kept = await db
    .insertInto('grades')
    .values({
      report_id: grade.reportId,
      resolution_id: grade.resolutionId,
      grader: grade.grader,
      state: grade.state,
      scores: grade.scores === null ? null : JSON.stringify(grade.scores),
      graded_at: grade.now,
    })
    .onConflict(conflict => conflict.columns(['report_id', 'resolution_id', 'grader']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return kept !== undefined;
}

export interface GradeThatCounts {
  readonly state: GradeState;
  readonly scores: ReportScores | null;
  readonly grader: string;
  readonly gradedAt: Date;
  readonly resolution: {
    readonly id: number;
    readonly observedAt: Date;
    readonly outcomes: MarketOutcomes;
  };
  /** An earlier grade said otherwise what happened. */
  readonly corrected: boolean;
}

/** Null for a report that has none yet. */
export async function newestGrade(db: Db, reportId: number): Promise<GradeThatCounts | null> {
  const [newest, ...earlier] = await db
    .selectFrom('grades as grade')
    .innerJoin('resolutions as resolution', 'resolution.id', 'grade.resolution_id')
    .select([
      'grade.state',
      'grade.scores',
      'grade.grader',
      'grade.graded_at as gradedAt',
      'resolution.id as resolutionId',
      'resolution.observed_at as observedAt',
      'resolution.outcomes',
    ])
    .where('grade.report_id', '=', reportId)
    .orderBy('grade.resolution_id', 'desc')
    .orderBy('grade.id', 'desc')
    .execute();
  if (newest === undefined) return null;
  const { resolutionId: id, observedAt, outcomes, ...grade } = newest;
  const corrected = earlier.some(
    other => other.state !== 'disputed' && whatHappened(other) !== whatHappened(newest),
  );
  return { ...grade, resolution: { id, observedAt, outcomes }, corrected };
}

function whatHappened({ state, scores }: { state: GradeState; scores: ReportScores | null }): string {
  const outcomes = scores?.outcomes.map(({ name, happened }) => [name, happened]) ?? null;
  return JSON.stringify([state, outcomes]);
}

/** A recorded report, and how its event is known to have ended. */
export interface GradableReport {
  readonly reportId: number;
  /** The text of its entry in the record. */
  readonly payload: string;
  /** Null while nothing of the event is resolved. */
  readonly resolutionId: number | null;
  readonly outcomes: MarketOutcomes | null;
}

/** In the order of their ids; one that is not in the record is left out. */
export async function readGradable(db: Db, reportIds: readonly number[]): Promise<readonly GradableReport[]> {
  if (reportIds.length === 0) return [];
  return db
    .selectFrom('record_entries as entry')
    .innerJoin('reports as report', 'report.id', 'entry.report_id')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('resolutions')
          .select(['id', 'outcomes'])
          .whereRef('resolutions.event_id', '=', 'report.event_id')
          .orderBy('id', 'desc')
          .limit(1)
          .as('newest'),
      join => join.onTrue(),
    )
    .select(['entry.report_id as reportId', 'entry.payload', 'newest.id as resolutionId', 'newest.outcomes'])
    .where('entry.report_id', 'in', reportIds)
    .orderBy('entry.report_id')
    .execute();
}

/**
 * How events ended, as their market said it. Invariants:
 * - a row is never changed or removed; what the market says later is a row of its own, and the newest counts;
 * - two rows of an event that follow one another differ in their outcomes: observing the same again adds nothing, also
 *   when several observe it at once (the event's row is locked);
 * - the first row of an event is the first that says more than "unresolved".
 */
export interface ObservedResolution {
  readonly id: number;
  readonly observedAt: Date;
  readonly outcomes: MarketOutcomes;
}

/** @returns whether it says something new. */
export async function noteResolution(
  db: Db,
  {
    eventId,
    outcomes,
    evidence,
    now,
  }: { eventId: string; outcomes: MarketOutcomes; evidence: object; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async tx => {
    await tx
      .selectFrom('events')
      .select('event_id')
      .where('event_id', '=', eventId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const newest = await newestResolution(tx, eventId);
    if (newest === null ? nothingResolved(outcomes) : sameOutcomes(newest.outcomes, outcomes)) return false;
    await tx
      .insertInto('resolutions')
      .values({
        event_id: eventId,
        outcomes: JSON.stringify(outcomes),
        evidence: JSON.stringify(evidence),
        observed_at: now,
      })
      .execute();
    return true;
  });
}

/** Null while nothing of the event is resolved. */
export async function newestResolution(db: Db | Tx, eventId: string): Promise<ObservedResolution | null> {
  const row = await db
    .selectFrom('resolutions')
    .select(['id', 'observed_at as observedAt', 'outcomes'])
    .where('event_id', '=', eventId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

function nothingResolved(outcomes: MarketOutcomes): boolean {
  return Object.values(outcomes).every(resolution => resolution === 'unresolved');
}

/** Whatever the order of their markets. */
function sameOutcomes(some: MarketOutcomes, others: MarketOutcomes): boolean {
  const markets = new Set([...Object.keys(some), ...Object.keys(others)]);
  return [...markets].every(market => some[market] === others[market]);
}
