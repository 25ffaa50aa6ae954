import { randomBytes, randomUUID } from 'node:crypto';
import { openAccount } from '../../../db/accounts/accounts.js';
import type { Db } from '../../../db/database.js';
import { saveEvent } from '../../../db/reports/events.js';
import { entryHash, saltBytes } from '../../../db/track-record/entry-hash.js';
import { genesisHash, newestEntry } from '../../../db/track-record/record.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import type { Grade } from '../../../record/grades/grade.js';
import type { MarketOutcomes, RecordedForecast } from '../../../record/recorded-forecast.js';
import { event, market } from '../../council/fixtures.js';
import type { TestDatabase } from '../service/test-database.js';

const pageRows = 1_000;
const rain = event([market({ name: 'Rain' })]);

/**
 * Inserts completed and recorded reports with these forecasts directly, without purchase or run, in a right chain.
 *
 * @param release what writes the entries: release 1.0.0 made one of each report, of its end
 * @param now when the reports ended
 * @returns the same forecasts with the ids that their reports were given, in ascending order
 */
export async function plantReports(
  { db, pool }: Pick<TestDatabase, 'db' | 'pool'>,
  forecasts: readonly RecordedForecast[],
  release: '1.0.0' | 'this' = 'this',
  now = new Date(),
): Promise<RecordedForecast[]> {
  const { id: accountId } = await openAccount(db, {
    issuer: 'test',
    subject: randomUUID(),
    email: null,
    newId: randomUUID(),
  });
  for (const eventId of new Set(forecasts.map(({ event_id }) => event_id))) {
    await saveEvent(db, { ...rain, eventId }, now);
  }
  const planted: RecordedForecast[] = [];
  for (let start = 0; start < forecasts.length; start += pageRows) {
    const page = forecasts.slice(start, start + pageRows);
    const { rows } = await pool.query<{ id: number }>(
      `insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed,
         event, queried_market, prices_at, conclusion, dropouts, created_at, ended_at)
       select $1, event_id, 'Planted', date '2000-01-01' + $2::int + place::int, 'test', 'credits', simulated, 'completed', 's',
         $6, 'A', $5, '{}', '[]', $5, $5
       from unnest($3::text[], $4::boolean[]) with ordinality as planted (event_id, simulated, place) returning id`,
      [
        accountId,
        start,
        page.map(each => each.event_id),
        page.map(each => each.simulated),
        now,
        JSON.stringify(rain),
      ],
    );
    const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
    // The digests last, as the service records them.
    const recorded = page.map(({ answers_sha256, market_sha256, ...forecast }, index) => ({
      ...forecast,
      report_id: ids[index] ?? 0,
      answers_sha256,
      market_sha256,
    }));
    if (release === 'this') await storeForecasts(db, recorded);
    else await appendEntries(db, recorded, now);
    await sealRecord(db);
    planted.push(...recorded);
  }
  return planted;
}

export interface PlantedGrade {
  readonly reportId: number;
  readonly grade: Grade;
  readonly grader?: string;
  /** What the market answered; empty if the test does not read it. */
  readonly outcomes?: MarketOutcomes;
}

/** Adds one more grade to each of these reports under a new resolution of its event, as a re-grading does. */
export async function plantGrades(
  { pool }: Pick<TestDatabase, 'pool'>,
  grades: readonly PlantedGrade[],
): Promise<void> {
  const now = new Date();
  for (let start = 0; start < grades.length; start += pageRows) {
    const page = grades.slice(start, start + pageRows);
    await pool.query(
      `with planted as (
         select planted.*, event_id
         from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[])
           as planted (report_id, grader, state, scores, outcomes, open_markets)
           join reports on reports.id = report_id
       ), resolved as (
         insert into resolutions (event_id, outcomes, evidence, observed_at)
         select distinct on (event_id) event_id, outcomes::json, '{}', $1 from planted returning id, event_id
       )
       insert into grades (report_id, resolution_id, grader, state, scores, open_markets, graded_at)
       select report_id, resolved.id, grader, state, scores::json, open_markets, $1
       from planted join resolved using (event_id)`,
      [
        now,
        page.map(({ reportId }) => reportId),
        page.map(({ grader }) => grader ?? 'grader/1'),
        page.map(({ grade }) => grade.state),
        page.map(({ grade }) => (grade.scores === null ? null : JSON.stringify(grade.scores))),
        page.map(({ outcomes }) => JSON.stringify(outcomes ?? {})),
        page.map(({ grade }) => grade.openMarkets),
      ],
    );
  }
}

async function storeForecasts(db: Db, forecasts: readonly RecordedForecast[]): Promise<void> {
  const rows = forecasts.map(forecast => ({
    report_id: forecast.report_id,
    kind: 'completed' as const,
    payload: JSON.stringify(forecast),
  }));
  await db.insertInto('unsealed_entries').values(rows).execute();
}

async function appendEntries(db: Db, forecasts: readonly RecordedForecast[], now: Date): Promise<void> {
  let last = (await newestEntry(db).executeTakeFirst()) ?? { seq: 0, hash: genesisHash };
  const entries = forecasts.map(forecast => {
    const entry = {
      version: 1,
      seq: last.seq + 1,
      kind: 'completed' as const,
      saleSeq: null,
      createdAt: now,
      opensBy: null,
      simulated: forecast.simulated,
      previousHash: last.hash,
      salt: randomBytes(saltBytes),
      payload: JSON.stringify(forecast),
    };
    last = { seq: entry.seq, hash: entryHash(entry) };
    return {
      version: entry.version,
      seq: entry.seq,
      kind: entry.kind,
      report_id: forecast.report_id,
      payload: entry.payload,
      salt: entry.salt,
      previous_hash: entry.previousHash,
      hash: last.hash,
      created_at: now,
    };
  });
  await db.insertInto('record_entries').values(entries).execute();
}
