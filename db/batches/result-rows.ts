import { sql } from 'kysely';
import type { Venue } from '../../council/event.js';
import type { CouncilModel } from '../../council/models.js';
import type { EstimateWeights, ReportStatus } from '../../council/report.js';
import type { BatchRowState } from '../../purchase/batches.js';
import type { RecordedOutcome } from '../../record/recorded-forecast.js';
import type { Db } from '../database.js';
import { rowState } from './batch-rows.js';

/**
 * What the rows of a batch resulted in. Invariants:
 * - the numbers are those of stored conclusions and of sealed entries of the record, which never change;
 * - nothing that changes after the end of a report is read: no grade, no price, no rules;
 * - so the rows of a batch that has ended do not change once none of them runs, unless rows are tried again.
 */
export interface ResultRow {
  readonly position: number;
  readonly eventId: string;
  readonly state: BatchRowState;
  readonly reportId: number | null;
  readonly venue: Venue | null;
  readonly eventTitle: string | null;
  readonly council: ByOutcome | null;
  readonly market: ByOutcome | null;
  readonly estimate: ByOutcome | null;
  readonly confidence: number | null;
  readonly degraded: boolean | null;
  readonly conflict: boolean | null;
  /** The entry that ends the report; null until it is sealed. */
  readonly recordSeq: number | null;
  readonly credits: number;
  /** The chairman's summary. */
  readonly summary: string | null;
  /** As recorded; null until the entry is sealed. */
  readonly outcomes: readonly RecordedOutcome[] | null;
}

/** Percent by outcome. */
type ByOutcome = Readonly<Record<string, number | null>>;

interface Range {
  readonly after: number;
  readonly limit: number;
}

/** A page of the rows after a position, in their order. Only what the numbers need is read of a report. */
export async function readResultRows(db: Db, batchId: string, range: Range): Promise<readonly ResultRow[]> {
  const { rows } = await sql<ResultRow>`
    select row.position, row.event_id as "eventId", ${rowState} as state, row.report_id as "reportId",
      coalesce(report.event, event.event) ->> 'source' as venue, report.event_title as "eventTitle",
      report.conclusion -> 'runtime' -> 'market_probabilities' as council,
      report.conclusion -> 'runtime' -> 'market_implied_probabilities' as market,
      report.conclusion -> 'runtime' -> 'estimate' -> 'probabilities' as estimate,
      (report.conclusion ->> 'confidence')::float8 as confidence,
      (report.conclusion -> 'runtime' ->> 'degraded')::boolean as degraded,
      (report.conclusion -> 'runtime' ->> 'consensus_market_conflict')::boolean as conflict,
      ended.seq as "recordSeq", coalesce(paid.credits, 0) as credits,
      (select answer ->> 'summary' from stage_results as answer
        where answer.report_id = report.id and answer.stage = 'synthesis' and report.status = 'completed'
        order by answer.model limit 1) as summary,
      case when ended.kind = 'completed' then ended.payload::json -> 'outcomes' end as outcomes
    from batch_rows as row
    left join reports as report on report.id = row.report_id
    left join events as event on event.event_id = report.event_id
    left join record_entries as ended on ended.report_id = row.report_id and ended.kind <> 'sold'
    left join report_purchases as paid
      on paid.report_id = row.report_id and paid.batch_id = row.batch_id and paid.state = 'charged'
    where row.batch_id = ${batchId} and row.position > ${range.after}
    order by row.position limit ${range.limit}`.execute(db);
  return rows;
}

/** What the reports of a batch have in common, from the sealed entries of their forecasts. */
export interface ResultsSummary {
  readonly simulated: boolean;
  readonly methods: readonly string[];
  readonly weights: readonly Pick<EstimateWeights, 'id' | 'sha256'>[];
  /** The vendors' own ids of the models whose opinions counted. */
  readonly models: Readonly<Partial<Record<CouncilModel, readonly string[]>>>;
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  /** Hash of the entry `lastSeq`. */
  readonly lastHash: Buffer | null;
}

export async function readResultsSummary(db: Db, batchId: string): Promise<ResultsSummary> {
  const { rows } = await sql<ResultsSummary>`
    with ended as materialized (
      select entry.seq, entry.hash, report.simulated,
        case when entry.kind = 'completed' then entry.payload::jsonb end as forecast
      from batch_rows as row
      join reports as report on report.id = row.report_id
      join record_entries as entry on entry.report_id = row.report_id and entry.kind <> 'sold'
      where row.batch_id = ${batchId}
    )
    select coalesce(bool_or(simulated), false) as simulated,
      array(select distinct (forecast ->> 'method') collate "C" from ended
        where forecast is not null order by 1) as methods,
      (select coalesce(json_agg(weights order by weights ->> 'id' collate "C"), '[]') from (
        select distinct forecast -> 'estimate_weights' as weights from ended
        where jsonb_typeof(forecast -> 'estimate_weights') = 'object') as used) as weights,
      (select coalesce(json_object_agg(model, ids order by model), '{}') from (
        select named.key collate "C" as model, json_agg(distinct named.value collate "C") as ids
        from ended cross join jsonb_each_text(ended.forecast -> 'model_ids') as named
        group by 1) as used) as models,
      min(seq) as "firstSeq", max(seq) as "lastSeq",
      (select hash from ended order by seq desc limit 1) as "lastHash"
    from ended`.execute(db);
  const [summary] = rows;
  if (summary === undefined) throw new Error('an aggregate has one row');
  return summary;
}

/** A report of the batch that has ended and whose entry is not sealed; null if there is none. */
export async function findUnsealedRow(
  db: Db,
  batchId: string,
): Promise<{ readonly id: number; readonly status: ReportStatus; readonly createdAt: Date } | null> {
  const { rows } = await sql<{ id: number; status: ReportStatus; createdAt: Date }>`
    select report.id, report.status, report.created_at as "createdAt"
    from batch_rows as row join reports as report on report.id = row.report_id
    where row.batch_id = ${batchId} and report.status in ('completed', 'failed') and not exists (
      select from record_entries as entry where entry.report_id = report.id and entry.kind <> 'sold')
    order by report.id desc limit 1`.execute(db);
  return rows[0] ?? null;
}
