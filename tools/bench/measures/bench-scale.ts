import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../../council/random.js';
import { type Connections, connect } from '../../../db/database.js';
import type { PastReport } from '../../../db/track-record/past-reports.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import type { SalesPolicy } from '../../../purchase/house-ceilings.js';
import {
  heldMs,
  type LockedTransaction,
  type Machine,
  perSecondMax,
  simulateTransactions,
} from '../../scale/locked-transaction.js';
import { sealCost, sealedPerSecondMax } from '../../scale/sealing.js';
import { exponential } from '../../scale/simulate.js';
import { answerAll, endRun, openRuns } from '../load/run-pieces.js';
import { highCeiling, Seller } from '../load/seller.js';
import { slowNetwork } from '../load/slow-network.js';
import { inLanes } from '../load/steady-load.js';
import {
  type Kind,
  kinds,
  measureFlush,
  measureKind,
  perRound,
  type Round,
  transactionOf,
} from '../load/transactions-at-once.js';
import { typicalReport } from '../load/typical-report.js';
import { type Measured, rounded } from '../results/measurement.js';
import { type BenchServices, withBenchServices } from '../services/with-bench-services.js';

/** As many at once; the prediction is made from those that were made alone. */
const lanes = [1, 2, 4, 8, 16, 32] as const;
const rounds = 3;
const settings: readonly Setting[] = [
  { name: 'one machine', delayMs: 0, openRuns: 0 },
  { name: 'a network of 10 ms', delayMs: 10, openRuns: 0 },
  { name: 'one machine, 10,000 open runs', delayMs: 0, openRuns: 10_000 },
];
/** Sales that arrive at random, at these shares of the most that is predicted. */
const openLoads = [0.5, 0.8] as const;
const openSales = 200;
/** All are paid from purchased credits. A sale that a new weekly grant pays writes two transfers. */
const policy: SalesPolicy = { ...highCeiling, grantNeedsVerifiedAddress: true };
const machine: Machine = {
  cores: cpus().length,
  callersHaveOwnCores: false,
  callers: 1,
  connections: 20,
};

interface Setting {
  readonly name: string;
  readonly delayMs: number;
  readonly openRuns: number;
}

/**
 * Measures sales and completions at once in PostgreSQL alone, and how fast the record is sealed, beside what a simulation
 * predicts from one at a time.
 */
export function benchScale(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withBenchServices(env, async services => {
    const { db } = services.database;
    const report = await typicalReport(db);
    const bench: Bench = { services, report, seller: await Seller.create(db, salesMax, report) };
    const measured: MeasuredSetting[] = [];
    for (const setting of settings) measured.push(await measureSetting(bench, setting));
    return resultOf(measured, await measureSealing(bench));
  });
}

const salesMax =
  settings.length * rounds * lanes.length * perRound + 2 * openLoads.length * openSales + 1_000;

interface Bench {
  readonly services: BenchServices;
  readonly report: PastReport;
  readonly seller: Seller;
}

async function measureSetting(bench: Bench, setting: Setting): Promise<MeasuredSetting> {
  const { services, seller } = bench;
  const network = await slowNetwork(services.databaseUrl, setting.delayMs);
  const databaseUrl = setting.delayMs === 0 ? services.databaseUrl : network.databaseUrl;
  const connections = connect(databaseUrl, () => undefined);
  if (setting.openRuns > 0) await openRuns(services.database.db, setting.openRuns, seller.now);
  const flushMs = await measureFlush(connections);
  const found: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const atOnce of lanes) found.push(...(await measureRound(bench, connections, atOnce)));
  }
  const compared = kinds.map(kind => compare(setting, kind, found, flushMs));
  const [sale] = compared;
  const arriving =
    setting.delayMs > 0 && sale !== undefined ? await arrive(bench, connections, sale.transaction) : [];
  await connections.close();
  await network.close();
  return { compared, arriving };
}

interface MeasuredSetting {
  /** For each kind. */
  readonly compared: readonly Compared[];
  readonly arriving: Awaited<ReturnType<typeof arrive>>;
}

async function measureRound(bench: Bench, { db }: Connections, atOnce: number): Promise<Round[]> {
  const { services, seller, report } = bench;
  const ids: number[] = [];
  const sold = await measureKind(services, { kind: 'sale', db, atOnce }, async timed => {
    ids.push(await seller.sell(timed, policy));
  });
  await answerAll(services.database.db, ids, report, seller.now);
  const ended = await measureKind(services, { kind: 'completion', db, atOnce }, async timed => {
    await endRun(timed, ids.pop() ?? 0, report, seller.now);
  });
  return [sold, ended];
}

/** The best of the rounds, both alone and at once, because other load can only slow them down. */
function compare(setting: Setting, kind: Kind, found: readonly Round[], flushMs: number) {
  const ofKind = found.filter(round => round.kind === kind);
  const best = (atOnce: number) =>
    ofKind.filter(round => round.atOnce === atOnce).toSorted((a, b) => b.perSecond - a.perSecond)[0];
  const transaction = transactionOf(kind, best(1), flushMs);
  return {
    setting: setting.name,
    kind,
    transaction,
    held_ms: rounded(heldMs(transaction)),
    by_number_at_once: lanes.map(atOnce => {
      const measured = best(atOnce)?.perSecond ?? Number.NaN;
      const predicted = simulateTransactions(transaction, machine, { atOnce }).perSecond;
      return {
        at_once: atOnce,
        measured_per_second: rounded(measured, 1),
        predicted_per_second: rounded(predicted, 1),
        predicted_to_measured: rounded(predicted / measured),
      };
    }),
  };
}

type Compared = ReturnType<typeof compare>;

/** Sales that arrive at random, whether earlier ones have ended or not: the better of two rounds. */
async function arrive(bench: Bench, connections: Connections, transaction: LockedTransaction) {
  const most = perSecondMax(transaction, machine);
  const found: { load: number; per_second: number; measured_ms: number; predicted_ms: number }[] = [];
  for (const load of openLoads) {
    const perSecond = load * most;
    const measuredMs = Math.min(
      await meanMsOfArriving(bench, connections, perSecond),
      await meanMsOfArriving(bench, connections, perSecond),
    );
    found.push({
      load,
      per_second: rounded(perSecond, 1),
      measured_ms: rounded(measuredMs, 1),
      predicted_ms: rounded(simulateTransactions(transaction, machine, { perSecond }).meanMs, 1),
    });
  }
  return found;
}

async function meanMsOfArriving({ seller }: Bench, { db }: Connections, perSecond: number): Promise<number> {
  const random = seededRandom('arrivals');
  const betweenMs = exponential(1_000 / perSecond);
  const timesMs: number[] = [];
  const open: Promise<void>[] = [];
  let dueMs = performance.now();
  for (let sale = 0; sale < openSales; sale += 1) {
    dueMs += betweenMs(random);
    await pause(Math.max(0, dueMs - performance.now()));
    const arrivedMs = performance.now();
    open.push(seller.sell(db, policy).then(() => void timesMs.push(performance.now() - arrivedMs)));
  }
  await Promise.all(open);
  await seller.endRuns(db);
  return timesMs.reduce((sum, ms) => sum + ms, 0) / openSales;
}

const fewReports = 5;
const manyReports = 45;
const backlogReports = 500;

/** How fast the record is sealed: few entries, many in one batch, and a backlog of several batches. */
async function measureSealing({ services: { database }, seller, report }: Bench) {
  const { db } = database;
  const sealMs = async (reports: number) => {
    const ids: number[] = [];
    await inLanes(reports, 4, async () => void ids.push(await seller.sell(db, policy)));
    await answerAll(db, ids, report, seller.now);
    await inLanes(reports, 4, () => endRun(db, ids.pop() ?? 0, report, seller.now));
    const startMs = performance.now();
    const entries = await sealRecord(db);
    if (entries !== 2 * reports) throw new Error(`${entries} entries were sealed for ${reports} reports`);
    return performance.now() - startMs;
  };
  await sealRecord(db);
  const times: { few: number; many: number }[] = [];
  for (let round = 0; round < 3 * rounds; round += 1)
    times.push({ few: await sealMs(fewReports), many: await sealMs(manyReports) });
  const cost = sealCost(
    { rows: 2 * fewReports, ms: Math.min(...times.map(({ few }) => few)) },
    { rows: 2 * manyReports, ms: Math.min(...times.map(({ many }) => many)) },
  );
  const measured = (1_000 * 2 * backlogReports) / (await sealMs(backlogReports));
  const predicted = sealedPerSecondMax({ ...cost, batchRows: 100, pauseMs: 0 });
  return {
    batch_ms: rounded(cost.batchMs),
    row_ms: rounded(cost.rowMs, 3),
    measured_entries_per_second: rounded(measured, 0),
    predicted_entries_per_second: rounded(predicted, 0),
  };
}

function resultOf(
  measured: readonly MeasuredSetting[],
  sealing: Awaited<ReturnType<typeof measureSealing>>,
): Measured {
  const compared = measured.flatMap(each => each.compared);
  const arriving = measured.flatMap(each => each.arriving);
  const deviation = (ratio: number) => rounded(100 * Math.abs(ratio - 1), 0);
  const worst = (of: readonly Compared[]) =>
    Math.max(
      ...of.flatMap(each => each.by_number_at_once.map(found => deviation(found.predicted_to_measured))),
    );
  const { measured_entries_per_second: sealed, predicted_entries_per_second: expected } = sealing;
  return {
    figures: { by_setting: compared, arriving_at_random: arriving, sealing },
    table: {
      head: ['', 'round trips, under the lock', 'lock held, ms', ...lanes.map(each => `${each} at once`)],
      rows: compared.map(({ setting, kind, transaction, held_ms, by_number_at_once: found }) => [
        `${kind}s, ${setting}`,
        `${transaction.before.statements + transaction.after.statements}, ${transaction.after.statements}`,
        held_ms,
        ...found.map(
          each => `${Math.round(each.measured_per_second)} / ${Math.round(each.predicted_per_second)}`,
        ),
      ]),
    },
    goals: [
      {
        what: 'predicted ÷ measured behind a network, where the lock decides, largest deviation in %',
        value: worst(compared.filter(({ setting }) => setting.includes('network'))),
        atMost: 25,
      },
      { what: 'the same of all, in %', value: worst(compared), atMost: 50 },
      ...arriving.map(each => ({
        what: `sales that arrive at random at ${100 * each.load} % of the most (${each.per_second} a second): ${each.measured_ms} ms each, ${each.predicted_ms} predicted; deviation in %`,
        value: deviation(each.predicted_ms / each.measured_ms),
        atMost: 25,
      })),
      {
        what: `a backlog of the record is sealed at ${sealed} entries a second, ${expected} predicted; deviation in %`,
        value: deviation(expected / sealed),
        atMost: 25,
      },
    ],
  };
}
