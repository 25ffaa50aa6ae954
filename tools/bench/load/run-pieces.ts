import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import { completeReport } from '../../../db/reports/complete-report.js';
import type { PastReport } from '../../../db/track-record/past-reports.js';

/** The parts of a run that are not measured, written for many reports at once, and its end. */

/** The answers of a run and its calls, for reports that are in progress. */
export async function answerAll(
  db: Db,
  reportIds: readonly number[],
  { answers }: PastReport,
  now: Date,
): Promise<void> {
  const rows = JSON.stringify(answers);
  await sql`
    insert into stage_results (report_id, stage, model, model_id, answer, attempts, latency_ms, created_at)
    select report_id, stage, model, model, answer, 1, 1, ${now}
    from unnest(${reportIds}::bigint[]) as report_id,
      json_to_recordset(${rows}::json) as given(stage text, model text, answer json)`.execute(db);
  await sql`
    insert into provider_calls (report_id, stage, model, model_id, outcome, input_tokens, output_tokens,
      cost_usd_micros, latency_ms, simulated, called_at, used)
    select report_id, stage, model, model, 'answered', 1, 1, ${callUsdMicros}, 1, true, ${now}, true
    from unnest(${reportIds}::bigint[]) as report_id,
      json_to_recordset(${rows}::json) as given(stage text, model text)`.execute(db);
}

const callUsdMicros = 10_000;

/** @throws if it had ended before */
export async function endRun(db: Db, reportId: number, report: PastReport, now: Date): Promise<void> {
  const { conclusion, freeze } = report;
  const completion = { conclusion, dropouts: [], otherVenue: null, forecast: freeze(reportId), now };
  if (!(await completeReport(db, reportId, completion))) throw new Error(`report ${reportId} had ended`);
}

/** Runs of another account that go on all the time, which each sale below a ceiling counts. */
export async function openRuns(db: Db, count: number, now: Date): Promise<void> {
  await sql`
    with owner as (
      insert into accounts (id, issuer, subject) values (gen_random_uuid(), 'bench', 'owner of open runs') returning id),
    opened as (
      insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed,
        created_at)
      select (select id from owner), 'bench-1', 'Bench', date '2000-01-01' + n, 'open', 'subscription', true,
        'pending', 'bench', ${now} from generate_series(1, ${count}::integer) as n
      returning id, account_id)
    insert into report_purchases (id, account_id, state, kind, report_id, lane, credits, created_at)
    select gen_random_uuid(), account_id, 'charged', 'fresh', id, 'subscription', 0, ${now} from opened`.execute(
    db,
  );
  await sql`vacuum analyze reports, report_purchases`.execute(db);
}
