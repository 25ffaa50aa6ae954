import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { allowLongReads, type Db } from '../../../db/database.js';
import { purchaseReport } from '../../../db/purchases/purchases.js';
import type { SalesPolicy } from '../../../purchase/house-ceilings.js';
import { runsPerHour } from '../../../purchase/limits.js';
import { inLanes } from '../load/steady-load.js';
import { type Measured, median, rounded } from '../results/measurement.js';
import { postgresCpuSeconds } from '../results/server-processes.js';
import { type Caller, seedCallers } from '../services/seed-callers.js';
import { withBenchServices } from '../services/with-bench-services.js';

/** Calls of the day before the sales. A million are some 80,000 reports. */
const callsOfDay = [0, 100_000, 1_000_000] as const;
const salesPerRound = 100;
/** With and without a ceiling alternate, because the speed of a shared machine changes within seconds. */
const rounds = 10;
/** As many as a process has connections. */
const atOnce = 20;
/** For the calls of one statement, which has a minute. */
const callsPerStatement = 100_000;
const reportsOfCalls = 1_000;

const noCeiling: SalesPolicy = {
  houseLimitUsdMicros: Infinity,
  grantLimitUsdMicros: Infinity,
  grantNeedsVerifiedAddress: false,
};
/** Both are read and never reached. */
const highCeiling: SalesPolicy = { ...noCeiling, houseLimitUsdMicros: 1e12, grantLimitUsdMicros: 1e12 };

/** Measures sales of fresh reports in PostgreSQL alone, with and without a ceiling, by the calls of the day. */
export function benchSales(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withBenchServices(env, async ({ database: { db }, servers }) => {
    const start = new Date();
    start.setUTCHours(0, 0, 0, 0);
    const seller = await Seller.create(db, start, () => postgresCpuSeconds(servers));
    const measured: Comparison[] = [];
    for (const [index, calls] of callsOfDay.entries()) {
      await seedCalls(db, start, calls - (callsOfDay[index - 1] ?? 0));
      measured.push(await compare(seller, calls));
    }
    return resultOf(measured);
  });
}

type Comparison = Awaited<ReturnType<typeof compare>>;

async function compare(seller: Seller, calls: number) {
  const without: Sales[] = [];
  const ceiling: Sales[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const sold = [await seller.sell(noCeiling), await seller.sell(highCeiling)] as const;
    // The first one is cold.
    if (round === 0) continue;
    without.push(sold[0]);
    ceiling.push(sold[1]);
  }
  const ratios = ceiling.map(({ perSecond }, round) => perSecond / (without[round]?.perSecond ?? NaN));
  return {
    calls_of_the_day: calls,
    ratio_to_no_ceiling: rounded(median(ratios)),
    without_ceiling: summaryOf(without),
    with_ceiling: summaryOf(ceiling),
  };
}

interface Sales {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  readonly failed: number;
  readonly postgresCpuSeconds: number;
}

function summaryOf(sales: readonly Sales[]) {
  const latenciesMs = sales.flatMap(each => each.latenciesMs);
  return {
    sales_per_second: rounded(median(sales.map(({ perSecond }) => perSecond)), 1),
    p50_ms: rounded(median(latenciesMs), 1),
    longest_ms: rounded(Math.max(...latenciesMs), 0),
    failed: sales.reduce((sum, { failed }) => sum + failed, 0),
    postgres_cpu_ms_per_sale: rounded(
      (1_000 * sales.reduce((sum, { postgresCpuSeconds }) => sum + postgresCpuSeconds, 0)) /
        latenciesMs.length,
      1,
    ),
  };
}

/** Sells each report to an account that may still start a run, and each for an event of its own. */
class Seller {
  private readonly db: Db;
  private readonly callers: readonly Caller[];
  private readonly start: Date;
  private readonly cpuSeconds: () => number;
  private sold = 0;

  private constructor(db: Db, callers: readonly Caller[], start: Date, cpuSeconds: () => number) {
    this.db = db;
    this.callers = callers;
    this.start = start;
    this.cpuSeconds = cpuSeconds;
  }

  static async create(db: Db, start: Date, cpuSeconds: () => number): Promise<Seller> {
    const sales = callsOfDay.length * (rounds + 1) * 2 * salesPerRound;
    await sql`
      insert into events (event_id, source, title, event, read_at)
      select 'bench-' || n, 'sample', 'Bench', '{}', ${start} from generate_series(1, ${sales}::integer) as n
    `.execute(db);
    return new Seller(db, await seedCallers(db, Math.ceil(sales / runsPerHour)), start, cpuSeconds);
  }

  async sell(policy: SalesPolicy): Promise<Sales> {
    const latenciesMs: number[] = [];
    let failed = 0;
    const cpuBefore = this.cpuSeconds();
    const startMs = performance.now();
    await inLanes(salesPerRound, atOnce, async () => {
      const saleMs = performance.now();
      await this.sellOne(policy).catch(() => (failed += 1));
      latenciesMs.push(performance.now() - saleMs);
    });
    const seconds = (performance.now() - startMs) / 1_000;
    const postgresCpuSeconds = this.cpuSeconds() - cpuBefore;
    // Otherwise each round would have more open runs than the one before.
    await sql`
      update reports set status = 'failed', failure_code = 'internal', ended_at = ${this.start}
      where status = 'pending'`.execute(this.db);
    return { perSecond: (salesPerRound - failed) / seconds, latenciesMs, failed, postgresCpuSeconds };
  }

  private async sellOne(policy: SalesPolicy): Promise<void> {
    const sale = ++this.sold;
    const caller = this.callers[sale % this.callers.length];
    if (caller === undefined) throw new Error('there is no caller');
    const now = new Date(this.start.getTime() + 12 * 3_600_000);
    const outcome = await purchaseReport(
      this.db,
      {
        purchaseId: randomUUID(),
        accountId: caller.accountId,
        apiKeyId: null,
        eventId: `bench-${sale}`,
        utcDay: now.toISOString().slice(0, 10),
        lane: 'credits',
        quotedCredits: null,
        quotedUsdCents: null,
        idempotency: null,
        answerBy: new Date(now.getTime() + 60_000).toISOString(),
      },
      {
        now,
        simulated: true,
        policy,
        onCeiling: () => undefined,
        eventTitle: 'Bench',
        workflowId: `bench-${sale}`,
        seed: 'bench',
      },
      'fresh',
    );
    if (outcome === 'fresh_needed' || 'refused' in outcome) throw new Error(JSON.stringify(outcome));
  }
}

/** Calls of completed runs, evenly over the morning. */
async function seedCalls(db: Db, start: Date, count: number): Promise<void> {
  if (count === 0) return;
  await sql`
    insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed,
      failure_code, created_at, ended_at)
    select (select id from accounts limit 1), 'bench-1', 'Bench', date '2000-01-01' + n, 'calls', 'credits', true,
      'failed', 's', 'internal', ${start}, ${start}
    from generate_series(1, ${reportsOfCalls}::integer) as n`.execute(db);
  for (let done = 0; done < count; done += callsPerStatement) {
    await db.transaction().execute(async tx => {
      await allowLongReads(tx);
      await sql`
        insert into provider_calls (report_id, stage, model, model_id, outcome, input_tokens, output_tokens,
          cost_usd_micros, latency_ms, simulated, called_at)
        select (select min(id) from reports where workflow_id = 'calls') + n % ${reportsOfCalls}, 'opinions', 'gpt',
          'bench', 'answered', 1, 1, 1, 1, true, ${start}::timestamptz + n * interval '400 milliseconds'
        from generate_series(1, ${callsPerStatement}::integer) as n`.execute(tx);
    });
  }
  await sql`vacuum analyze provider_calls`.execute(db);
}

function resultOf(measured: readonly Comparison[]): Measured {
  const figures = (each: ReturnType<typeof summaryOf>) => [
    each.sales_per_second,
    `${each.p50_ms} / ${each.longest_ms}`,
    each.postgres_cpu_ms_per_sale,
    each.failed,
  ];
  const most = measured.at(-1);
  return {
    figures: { by_calls_of_the_day: measured },
    table: {
      head: [
        'calls that day',
        'without a ceiling: sales per second',
        'median / longest ms',
        'PostgreSQL CPU ms',
        'failed',
        'with: sales per second',
        'median / longest ms',
        'PostgreSQL CPU ms',
        'failed',
        'ratio',
      ],
      rows: measured.map(each => [
        each.calls_of_the_day,
        ...figures(each.without_ceiling),
        ...figures(each.with_ceiling),
        each.ratio_to_no_ceiling,
      ]),
    },
    goals: [
      {
        what: 'sales with a ceiling ÷ without, at a million calls that day',
        value: most?.ratio_to_no_ceiling ?? 0,
        atLeast: 0.9,
      },
    ],
  };
}
