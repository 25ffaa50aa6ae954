import { sql } from 'kysely';
import type { FinalWords } from '../../council/market/final-word.js';
import type { GradeState, ReportScores } from '../../record/grades/grade.js';
import type { MarketOutcomes } from '../../record/recorded-forecast.js';
import type { Db } from '../database.js';
import { announcing, reportData } from '../webhooks/outbox.js';
import { confirmedBy, isNotGradedAs, sameOutcomes } from './confirmed-grades.js';

/**
 * Grades of reports, and the resolutions of events that they are based on. Invariants:
 * - a grade is never changed or removed; a correction, or a new grader version, adds a row;
 * - there is at most one grade per report, resolution and grader version, so grading again changes nothing;
 * - a resolution with the outcomes of a report's last grade adds none: it confirms that grade, which is shown with what the
 *   newest such resolution says of who decided;
 * - the current grade is the last one under the newest resolution; a late grade under an older resolution
 *   changes nothing;
 * - a resolution is never changed or removed; when the venue changes its answer, or who gave it, a row is added, and
 *   the newest counts;
 * - a resolution by prices is replaced only by one that leaves no resolved market of it without the venue's word;
 * - consecutive resolutions of an event differ, even under concurrent observers (the event's row is locked);
 * - the first resolution of an event resolves at least one market;
 * - a grade with open markets is of part of an independent set: the resolution of another market adds a grade.
 */
export interface NewGrade {
  readonly reportId: number;
  readonly resolutionId: number;
  readonly grader: string;
  readonly state: GradeState;
  /** Null unless the state is `graded`. */
  readonly scores: ReportScores | null;
  readonly openMarkets: number;
  readonly now: Date;
}

/**
 * Tells the endpoints of all accounts that own the report.
 *
 * @returns false if this grade exists, also where the resolution only confirms it
 */
export async function saveGrade(db: Db, grade: NewGrade): Promise<boolean> {
  const { reportId, resolutionId, grader, scores } = grade;
  const inserted = await db
    .with('graded', qb =>
      qb
        .insertInto('grades')
        .columns(['report_id', 'resolution_id', 'grader', 'state', 'scores', 'open_markets', 'graded_at'])
        .expression(eb =>
          eb
            .selectFrom('resolutions as newest')
            .select([
              sql<number>`${reportId}::bigint`.as('report_id'),
              'newest.id',
              sql<string>`${grader}::text`.as('grader'),
              sql<GradeState>`${grade.state}::text`.as('state'),
              sql`${scores === null ? null : JSON.stringify(scores)}::json`.as('scores'),
              sql<number>`${grade.openMarkets}::int`.as('open_markets'),
              sql<Date>`${grade.now}::timestamptz`.as('graded_at'),
            ])
            .where('newest.id', '=', resolutionId)
            .where(sql<boolean>`${isNotGradedAs({ reportId, resolution: 'newest', grader })}`),
        )
        .onConflict(conflict => conflict.columns(['report_id', 'resolution_id', 'grader']).doNothing())
        .returning(['id', 'report_id', 'resolution_id']),
    )
    .with('announced', () => announcing({ type: 'report.graded', to: ownersOfGraded, now: grade.now }))
    .selectFrom('graded')
    .select('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * All accounts that own the report, cached buyers included: of the first grade, and of each under a newer resolution, whatever its
 * state. A new version of the grader is no news, neither under the same resolution nor under one that confirms it, and neither
 * is a late grade under an older one.
 */
const ownersOfGraded = sql`
  select purchase.account_id, ${reportData('report', 'completed')} as data
  from graded
  cross join lateral (
    select id as report_id, event_id from reports where reports.id = graded.report_id) as report
  join report_purchases as purchase on purchase.report_id = graded.report_id and purchase.state = 'charged'
  where not exists (select from grades as earlier
    where earlier.report_id = graded.report_id and earlier.resolution_id >= graded.resolution_id)
    and not exists (select from resolutions as confirming, resolutions as before
      where confirming.id = graded.resolution_id and ${sameOutcomes('before', 'confirming')}
        and before.id = (select max(resolution_id) from grades as earlier where earlier.report_id = graded.report_id))`;

export interface CurrentGrade {
  readonly state: GradeState;
  readonly scores: ReportScores | null;
  readonly openMarkets: number;
  readonly grader: string;
  readonly gradedAt: Date;
  readonly resolution: {
    /** Of the newest resolution that has these outcomes. */
    readonly id: number;
    /** When they were read for this grade. */
    readonly observedAt: Date;
    readonly outcomes: MarketOutcomes;
    /** What the newest resolution with these outcomes says; null if all was read from prices. */
    readonly words: FinalWords | null;
  };
  /** An earlier grade had another result. */
  readonly corrected: boolean;
}

/** The current grade; null if the report has none. */
export async function findCurrentGrade(db: Db, reportId: number): Promise<CurrentGrade | null> {
  const [newest, ...earlier] = await db
    .selectFrom('grades as grade')
    .innerJoin('resolutions as resolution', 'resolution.id', 'grade.resolution_id')
    .innerJoin('resolutions as shown', join =>
      join.on('shown.id', '=', confirmedBy(sql.ref('resolution.id'))),
    )
    .select([
      'grade.state',
      'grade.scores',
      'grade.open_markets as openMarkets',
      'grade.grader',
      'grade.graded_at as gradedAt',
      'shown.id as resolutionId',
      'resolution.observed_at as observedAt',
      'resolution.outcomes',
      'shown.final_words as words',
    ])
    .where('grade.report_id', '=', reportId)
    .orderBy('grade.resolution_id', 'desc')
    .orderBy('grade.id', 'desc')
    .execute();
  if (newest === undefined) return null;
  const { resolutionId: id, observedAt, outcomes, words, ...grade } = newest;
  const corrected = earlier.some(other => contradicts(other, newest));
  return { ...grade, resolution: { id, observedAt, outcomes, words }, corrected };
}

interface Result {
  readonly state: GradeState;
  readonly scores: ReportScores | null;
}

/** A market that was open said nothing, and neither did a dispute. */
function contradicts(earlier: Result, newest: Result): boolean {
  if (earlier.state === 'disputed') return false;
  if (earlier.state !== newest.state) return true;
  return (earlier.scores?.outcomes ?? []).some(
    ({ happened, open }, index) => !open && happened !== newest.scores?.outcomes[index]?.happened,
  );
}

/** A recorded report and the newest resolution of its event. */
export interface GradableReport {
  readonly reportId: number;
  /** The text of its record entry. */
  readonly payload: string;
  /** Null while no market of the event is resolved. */
  readonly resolutionId: number | null;
  readonly outcomes: MarketOutcomes | null;
}

/** Ordered by report id; reports without a record entry are left out. */
export async function readGradableReports(
  db: Db,
  reportIds: readonly number[],
): Promise<readonly GradableReport[]> {
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
    .where('entry.kind', '=', 'completed')
    .where('entry.report_id', 'in', reportIds)
    .orderBy('entry.report_id')
    .execute();
}
