import { sql } from 'kysely';
import { endOfUtcDay, startOfUtcDay, utcDay } from '../../council/calendar.js';
import {
  afterRun,
  type CeilingName,
  type HouseDay,
  hasCeiling,
  houseDay,
  isNear,
  reachedShares,
  runEstimateUsdMicros,
  type SalesPolicy,
  untouchedDay,
} from '../../purchase/house-ceilings.js';
import { runOpenMaxMinutes } from '../../purchase/limits.js';
import type { Quote } from '../../purchase/quote.js';
import type { Db, Tx } from '../database.js';
import { currentQuote } from '../pricing/quotes.js';

/**
 * What the house takes on in a UTC day. Invariants:
 * - it is computed from the cost of the recorded calls by hour, and the open runs. A trigger adds each call to its hour
 *   in the statement that records it, once; the audit compares the two;
 * - a call counts with what its vendor reported, and with what is estimated where it reported nothing;
 * - a call counts on the day on which it was made, whether its run completed, failed or was refunded;
 * - an open run counts today with what it is still expected to cost: the estimate less what it has cost already; it counts
 *   for as long as a run may be open;
 * - runs on a caller's own provider keys count nowhere;
 * - a sale is decided under `lockedCeilings`. Near a ceiling sales see each other; those that do not could not reach it
 *   together.
 */

/** What one group of runs takes, in micro-dollars. */
export interface Taken {
  /** The cost of the calls of the day. */
  readonly spentUsdMicros: number;
  /** What the open runs are still expected to cost. */
  readonly committedUsdMicros: number;
  readonly openRuns: number;
}

export interface HouseFigures {
  readonly all: Taken;
  /** The part of it that weekly grants paid. */
  readonly weekly_grants: Taken;
}

/** What the ceilings of a day are decided on, besides the rows. */
export interface HouseContext {
  readonly simulated: boolean;
  readonly now: Date;
  readonly policy: SalesPolicy;
  /** How a sale locks the ceilings; exclusively by default. */
  readonly ceilingLock?: CeilingLock;
}

/**
 * How an open run counts: with the estimate less what it has cost, or in full. The full count is more than the day
 * has taken, by what the open runs have cost, and reads none of their calls.
 */
type OpenRuns = 'less_their_cost' | 'in_full';

/** Today against the ceilings. Reads nothing if there is no ceiling. */
export async function readHouseDay(
  db: Db | Tx,
  { policy, simulated, now, quote }: HouseContext & { readonly quote: Quote },
  openRuns: OpenRuns = 'less_their_cost',
): Promise<HouseDay> {
  if (!hasCeiling(policy)) return untouchedDay(policy, now);
  const figures = await readHouseFigures(db, { simulated, now, quote, openRuns });
  return houseDay({ all: sum(figures.all), weekly_grants: sum(figures.weekly_grants) }, policy, now);
}

/** Today, at the present price estimate. */
export async function readHouseToday(
  db: Db,
  { simulated, now }: { simulated: boolean; now: Date },
): Promise<HouseFigures> {
  const quote = await currentQuote(db, simulated);
  return readHouseFigures(db, { simulated, now, quote });
}

function sum({ spentUsdMicros, committedUsdMicros }: Taken): number {
  return spentUsdMicros + committedUsdMicros;
}

/** Sales under the shared lock do not see one another. A sale under the exclusive lock sees all others. */
export type CeilingLock = 'shared' | 'exclusive';

/** As many sales as can be decided under the shared lock at once would reach a ceiling: the lock must be exclusive. */
export class NearCeiling extends Error {}

/**
 * Takes the lock of the ceilings within the statement that reads the situation of a sale, and keeps it until the
 * transaction ends. What is decided under it is read by a later statement, which sees what was committed before. Taken
 * after the lock of the account, and before those of the claims, the house's accounts of the ledger and the pools.
 * @returns SQL for the number of sales that can be decided at once
 */
export function lockedCeilings(lock: CeilingLock) {
  const take = sql.raw(lock === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock');
  return sql<number>`(select current_setting('max_connections')::int from ${take}(${ceilingLock}))`;
}

/**
 * Today against the ceilings for a sale that holds their lock. Open runs count in full while the day is so far below the
 * ceilings that this changes no answer.
 * @param sale.ceilings those that the sale counts towards
 * @param sale.salesAtOnce how many sales can be decided at once
 * @throws NearCeiling under the shared lock; the transaction must end before it takes the exclusive one, because two
 *   that hold the shared lock would wait for each other
 */
export async function readLockedHouseDay(
  tx: Tx,
  context: HouseContext & { readonly quote: Quote },
  sale: { readonly ceilings: readonly CeilingName[]; readonly salesAtOnce: number },
): Promise<HouseDay> {
  const { quote } = context;
  if (context.ceilingLock !== 'shared') return readHouseDay(tx, context);
  const others = { ceilings: sale.ceilings, runs: sale.salesAtOnce, quote };
  const atMost = await readHouseDay(tx, context, 'in_full');
  const isNoted = reachedShares(afterRun(atMost, runEstimateUsdMicros(quote), true)).length > 0;
  if (!isNoted && !isNear(atMost, others)) return atMost;
  const day = await readHouseDay(tx, context);
  if (isNear(day, others)) throw new NearCeiling();
  return day;
}

/** The key of this service's advisory lock for the ceilings. */
const ceilingLock = 7_107_004;

interface FiguresQuestion {
  readonly simulated: boolean;
  readonly now: Date;
  readonly quote: Quote;
  readonly openRuns?: OpenRuns;
}

/** The day of `now`, and the runs that are open. */
export async function readHouseFigures(
  db: Db | Tx,
  { simulated, now, quote, openRuns = 'less_their_cost' }: FiguresQuestion,
): Promise<HouseFigures> {
  const estimateUsdMicros = runEstimateUsdMicros(quote);
  const row = await db
    .with('spent', () => spentQuery(db, simulated, utcDay(now)))
    .with('open', () => openRunsQuery(db, { simulated, now, estimateUsdMicros, openRuns }))
    .selectNoFrom(eb => [
      eb.selectFrom('spent').select('usdMicros').as('spent'),
      eb.selectFrom('spent').select('grantedUsdMicros').as('grantSpent'),
      eb.selectFrom('open').select('usdMicros').as('committed'),
      eb.selectFrom('open').select('grantedUsdMicros').as('grantCommitted'),
      eb.selectFrom('open').select('runs').as('runs'),
      eb.selectFrom('open').select('grantedRuns').as('grantRuns'),
    ])
    .executeTakeFirstOrThrow();
  return {
    all: taken(row.spent, row.committed, row.runs),
    weekly_grants: taken(row.grantSpent, row.grantCommitted, row.grantRuns),
  };
}

/** PostgreSQL sums int8 as numeric, which the driver returns as text. */
function taken(spent: string | null, committed: string | null, runs: number | null): Taken {
  return {
    spentUsdMicros: Number(spent ?? 0),
    committedUsdMicros: Number(committed ?? 0),
    openRuns: runs ?? 0,
  };
}

/** Reads at most a few hundred rows, whatever the number of calls. */
function spentQuery(db: Db | Tx, simulated: boolean, day: string) {
  return db
    .selectFrom('house_spend')
    .select(({ fn }) => [
      fn.sum<string | null>('usd_micros').as('usdMicros'),
      fn.sum<string | null>('usd_micros').filterWhere('granted', '=', true).as('grantedUsdMicros'),
    ])
    .where('simulated', '=', simulated)
    .where('hour', '>=', startOfUtcDay(day))
    .where('hour', '<', endOfUtcDay(day));
}

function openRunsQuery(
  db: Db | Tx,
  {
    simulated,
    now,
    estimateUsdMicros,
    openRuns,
  }: { simulated: boolean; now: Date; estimateUsdMicros: number; openRuns: OpenRuns },
) {
  const cost = sql`(select sum(cost_usd_micros) from provider_calls as call where call.report_id = report.id)`;
  const left =
    openRuns === 'in_full'
      ? sql<number>`${estimateUsdMicros}::bigint`
      : sql<number>`greatest(0, ${estimateUsdMicros}::bigint - coalesce(${cost}, 0))`;
  const open = db
    .selectFrom('reports as report')
    .select([isGranted.as('isGranted'), left.as('left')])
    // Computed once a run, not for each of the sums.
    .offset(0)
    .where('report.simulated', '=', simulated)
    .where('report.status', 'in', ['pending', 'processing'])
    .where('report.created_at', '>', new Date(now.getTime() - runOpenMaxMinutes * 60_000))
    .where('report.lane', '<>', 'byok');
  return db
    .selectFrom(open.as('run'))
    .select(eb => [
      sql<string | null>`sum(${eb.ref('run.left')})`.as('usdMicros'),
      sql<string | null>`sum(${eb.ref('run.left')}) filter (where ${eb.ref('run.isGranted')})`.as(
        'grantedUsdMicros',
      ),
      sql<number>`count(*)::int`.as('runs'),
      sql<number>`(count(*) filter (where ${eb.ref('run.isGranted')}))::int`.as('grantedRuns'),
    ]);
}

/** Whether a weekly grant paid for the run of `report`. */
const isGranted = sql<boolean>`exists (
  select from report_purchases as purchase
  where purchase.report_id = report.id and purchase.kind = 'fresh' and purchase.pool = 'weekly_grant')`;
