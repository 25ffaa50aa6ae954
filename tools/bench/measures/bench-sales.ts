import { sql } from 'kysely';
import { allowLongReads, type Db } from '../../../db/database.js';
import type { SalesPolicy } from '../../../purchase/house-ceilings.js';
import { highCeiling, noCeiling, Seller } from '../load/seller.js';
import { inLanes } from '../load/steady-load.js';
import { typicalReport } from '../load/typical-report.js';
import { type Measured, median, rounded } from '../results/measurement.js';
import { postgresCpuSeconds } from '../results/server-processes.js';
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

/** Measures sales of fresh reports in PostgreSQL alone, with and without a ceiling, by the calls of the day. */
export function benchSales(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withBenchServices(env, async ({ database: { db }, servers }) => {
    const start = new Date();
    start.setUTCHours(0, 0, 0, 0);
    const sales = callsOfDay.length * (rounds + 1) * 2 * salesPerRound;
    const seller = await Seller.create(db, sales, await typicalReport(db));
    const shop = { db, seller, cpuSeconds: () => postgresCpuSeconds(servers) };
    const measured: Comparison[] = [];
    for (const [index, calls] of callsOfDay.entries()) {
      await seedCalls(db, start, calls - (callsOfDay[index - 1] ?? 0));
      measured.push(await compare(shop, calls));
    }
    return resultOf(measured);
  });
}

type Comparison = Awaited<ReturnType<typeof compare>>;

interface Shop {
  readonly db: Db;
  readonly seller: Seller;
  readonly cpuSeconds: () => number;
}

async function compare(shop: Shop, calls: number) {
  const without: Sales[] = [];
  const ceiling: Sales[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const sold = [await sellRound(shop, noCeiling), await sellRound(shop, highCeiling)] as const;
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

/** A round of sales with one policy. */
async function sellRound({ db, seller, cpuSeconds }: Shop, policy: SalesPolicy): Promise<Sales> {
  const latenciesMs: number[] = [];
  let failed = 0;
  const cpuBefore = cpuSeconds();
  const startMs = performance.now();
  await inLanes(salesPerRound, atOnce, async () => {
    const saleMs = performance.now();
    await seller.sell(db, policy).catch(() => (failed += 1));
    latenciesMs.push(performance.now() - saleMs);
  });
  const seconds = (performance.now() - startMs) / 1_000;
  const postgresCpuSeconds = cpuSeconds() - cpuBefore;
  await seller.endRuns(db);
  return { perSecond: (salesPerRound - failed) / seconds, latenciesMs, failed, postgresCpuSeconds };
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
