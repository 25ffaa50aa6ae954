import { sql } from 'kysely';
import type { MarketEvent } from '../../council/event.js';
import { changedSince, type Rules, rulesOf } from '../../council/market/rules.js';
import {
  type Counts,
  figuresVersion,
  type GradedRow,
  type TrackRecord,
  trackRecordBuilder,
} from '../../record/figures/track-record.js';
import type { MarketOutcomes, RecordedForecast } from '../../record/recorded-forecast.js';
import { allowLongReads, type Db, inSnapshot, type Tx } from '../database.js';
import { measureProof } from './proof.js';

/**
 * The track record. Invariants:
 * - every recorded report with a grade counts once, by its current grade; older grades are kept;
 * - figures and counts of one refresh come from one snapshot, so they add up;
 * - an older refresh never replaces a newer one;
 * - simulated and live reports are never mixed in one figure.
 */
export interface CurrentGradeRow extends GradedRow {
  readonly reportId: number;
  readonly openMarkets: number;
  readonly grader: string;
  readonly gradedAt: Date;
}

/** A page of the export. */
export interface GradePage {
  /** Only reports with a higher id than this. */
  readonly after: number;
  readonly limit: number;
}

/** Current grades, ordered by report id. */
export async function readCurrentGrades(
  db: Db | Tx,
  simulated: boolean,
  page: GradePage,
): Promise<CurrentGradeRow[]> {
  const rows = await currentGrades(db, simulated, page).execute();
  return rows.map(gradedRow);
}

/** What the market answered, as it was stored, for a row of the public export. */
export interface ExportedResolution {
  /**
   * When a resolution of the event was first observed after the entry was made, even if it left markets open: the
   * outcome may have been known since then.
   */
  readonly firstObservedAt: Date;
  readonly outcomes: MarketOutcomes;
  /** The state of the event and its markets at that time. */
  readonly evidence: object;
}

export interface ExportedGradeRow extends CurrentGradeRow {
  readonly resolution: ExportedResolution;
}

/** As `readCurrentGrades`, with the resolution that each grade is based on. */
export async function readExportedGrades(
  db: Db,
  simulated: boolean,
  page: GradePage,
): Promise<ExportedGradeRow[]> {
  const rows = await currentGrades(db, simulated, page)
    .select(['resolution.outcomes', 'resolution.evidence'])
    .select(eb =>
      eb.fn
        .coalesce(
          eb
            .selectFrom('resolutions as first')
            .select('first.observed_at')
            .whereRef('first.event_id', '=', 'resolution.event_id')
            .whereRef('first.observed_at', '>=', 'entry.created_at')
            .orderBy('first.id')
            .limit(1),
          'resolution.observed_at',
        )
        .as('firstObservedAt'),
    )
    .execute();
  return rows.map(({ firstObservedAt, outcomes, evidence, ...grade }) => ({
    ...gradedRow(grade),
    resolution: { firstObservedAt, outcomes, evidence },
  }));
}

/** As read, with the sold event only where other rules were read before the grade. */
type GradeColumns = Omit<CurrentGradeRow, 'forecast' | 'rulesChanged'> & {
  readonly payload: string;
  readonly sold: MarketEvent | null;
  readonly laterRules: readonly Rules[] | null;
};

function gradedRow({ payload, sold, laterRules, ...grade }: GradeColumns): CurrentGradeRow {
  const rulesChanged =
    sold !== null && laterRules !== null && changedSince(rulesOf(sold), laterRules).size > 0;
  return { ...grade, forecast: forecastOf(payload), rulesChanged };
}

/** Most events keep their rules, and an event is long. */
const soldIfReadAgain = sql<MarketEvent | null>`case when read."laterRules" is not null then report.event end`;

function currentGrades(db: Db | Tx, simulated: boolean, page: GradePage) {
  return completedEntries(db, simulated, page)
    .innerJoinLateral(
      eb =>
        eb
          .selectFrom('grades')
          .select(['resolution_id', 'state', 'scores', 'open_markets', 'grader', 'graded_at'])
          .whereRef('grades.report_id', '=', 'entry.report_id')
          .orderBy('grades.resolution_id', 'desc')
          .orderBy('grades.id', 'desc')
          .limit(1)
          .as('grade'),
      join => join.onTrue(),
    )
    .innerJoin('resolutions as resolution', 'resolution.id', 'grade.resolution_id')
    .innerJoinLateral(
      eb =>
        eb
          .selectFrom('event_rules as later')
          .select(sql<Rules[] | null>`json_agg(later.rules)`.as('laterRules'))
          .whereRef('later.event_id', '=', 'report.event_id')
          .whereRef('later.first_seen_at', '>', 'report.prices_at')
          .whereRef('later.first_seen_at', '<=', 'grade.graded_at')
          .as('read'),
      join => join.onTrue(),
    )
    .select([
      'entry.report_id as reportId',
      'entry.payload',
      'grade.state',
      'grade.scores',
      'grade.open_markets as openMarkets',
      'grade.grader',
      'grade.graded_at as gradedAt',
      'resolution.observed_at as resolvedAt',
      'read.laterRules',
      soldIfReadAgain.as('sold'),
    ]);
}

/** A page of the record's entries of completed reports, ordered by report id, for queries that join grades to it. */
export function completedEntries(db: Db | Tx, simulated: boolean, { after, limit }: GradePage) {
  return db
    .selectFrom('record_entries as entry')
    .innerJoin('reports as report', 'report.id', 'entry.report_id')
    .where('report.simulated', '=', simulated)
    .where('entry.kind', '=', 'completed')
    .where('report.status', '=', 'completed')
    .where('entry.report_id', '>', after)
    .orderBy('entry.report_id')
    .limit(limit);
}

/** Keeps a page small: a payload can have tens of kilobytes. */
const gradesPageMax = 200;

/** Fewer, because each row has the market's answer too, of up to 500 markets. */
export const exportedPageMax = 100;

/** Calls `onRow` for every current grade, ordered by report id. Holds one page in memory. */
export async function streamCurrentGrades(
  db: Db | Tx,
  simulated: boolean,
  onRow: (row: CurrentGradeRow) => void,
): Promise<void> {
  let after = 0;
  for (;;) {
    const page = await readCurrentGrades(db, simulated, { after, limit: gradesPageMax });
    for (const row of page) {
      onRow(row);
      after = row.reportId;
    }
    if (page.length < gradesPageMax) return;
  }
}

/**
 * Changes with every grade that is stored, also with one that is committed after a later one: grades are only added, and
 * one that is missing among the newest changes their sum.
 */
export async function readGradesVersion(db: Db): Promise<string> {
  const { newest, sum } = await db
    .selectFrom(
      db.selectFrom('grades').select('id').orderBy('id', 'desc').limit(gradesComparedMax).as('newest'),
    )
    .select(eb => [
      sql<string | null>`max(newest.id)::text`.as('newest'),
      eb.cast<string | null>(eb.fn.sum('newest.id'), 'text').as('sum'),
    ])
    .executeTakeFirstOrThrow();
  return `${newest ?? 0}-${sum ?? 0}`;
}

/** Far more than are written while one transaction that writes grades is open. */
const gradesComparedMax = 10_000;

/** How many entries of each kind the record has, and how many reports each grade state. */
export async function readCounts(db: Db | Tx, simulated: boolean): Promise<Counts> {
  const { sold, completed, failed } = await countByKind(db, simulated);
  const { graded, void: voided, fifty_fifty, disputed } = await countByState(db, simulated);
  const pending = completed - graded - voided - fifty_fifty - disputed;
  return { sold, completed, graded, pending, void: voided, fifty_fifty, disputed, failed };
}

/** Computes the figures from all rows, and what of them is proved, and stores both for `readTrackRecord` and `readProof`. */
export async function refreshTrackRecord(db: Db, simulated: boolean, now: Date): Promise<void> {
  const { body, proof } = await inSnapshot(db, async tx => {
    await allowLongReads(tx);
    const record = trackRecordBuilder();
    await streamCurrentGrades(tx, simulated, row => record.add(row));
    return {
      body: record.finish(await readCounts(tx, simulated), now.toISOString()),
      proof: await measureProof(tx, simulated, now),
    };
  });
  const stored = { body: JSON.stringify(body), proof: JSON.stringify(proof), computed_at: now };
  await db
    .insertInto('track_records')
    .values({ simulated, ...stored })
    .onConflict(conflict =>
      conflict.column('simulated').doUpdateSet(stored).where('track_records.computed_at', '<=', now),
    )
    .execute();
}

/**
 * The figures as last computed; null before the first refresh, or if it was made by a release that computed them by
 * other rules: the next refresh replaces it.
 */
export async function readTrackRecord(db: Db | Tx, simulated: boolean): Promise<TrackRecord | null> {
  const row = await db
    .selectFrom('track_records')
    .select('body')
    .where('simulated', '=', simulated)
    .executeTakeFirst();
  return row?.body.figures_version === figuresVersion ? row.body : null;
}

/** Ends are counted by reports, without those that are not sealed yet: an index has their status. */
async function countByKind(db: Db | Tx, simulated: boolean) {
  const ended = (status: 'completed' | 'failed') => sql<number>`(
    (select count(*) from reports where simulated = ${simulated} and status = ${sql.lit(status)})
    - (select count(*) from unsealed_entries as row join reports as report on report.id = row.report_id
       where report.simulated = ${simulated} and row.kind = ${sql.lit(status)}))`;
  return db
    .selectNoFrom(eb => [
      eb
        .selectFrom('record_entries as entry')
        .innerJoin('reports as report', 'report.id', 'entry.report_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('entry.kind', '=', sql.lit('sold'))
        .where('report.simulated', '=', simulated)
        .$asScalar()
        .as('sold'),
      ended('completed').as('completed'),
      ended('failed').as('failed'),
    ])
    .executeTakeFirstOrThrow();
}

async function countByState(db: Db | Tx, simulated: boolean) {
  const rows = await db
    .selectFrom(eb =>
      eb
        .selectFrom('grades')
        .select(['report_id', 'state'])
        .distinctOn('report_id')
        .orderBy('report_id')
        .orderBy('resolution_id', 'desc')
        .orderBy('id', 'desc')
        .as('grade'),
    )
    .innerJoin('reports as report', 'report.id', 'grade.report_id')
    .where('report.simulated', '=', simulated)
    .select(eb => ['grade.state', eb.fn.countAll<number>().as('count')])
    .groupBy('grade.state')
    .execute();
  const none = { graded: 0, void: 0, fifty_fifty: 0, disputed: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

/** The service wrote the payload itself, and the hash chain protects it, so it needs no validation. */
export function forecastOf(payload: string): RecordedForecast {
  return JSON.parse(payload);
}
