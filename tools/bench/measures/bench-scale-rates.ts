import { z } from 'zod';
import { seededRandom } from '../../../council/random.js';
import {
  heldMs,
  type LockedTransaction,
  type Machine,
  perSecondMax,
  simulateTransactions,
} from '../../scale/locked-transaction.js';
import { sealedPerSecondMax, simulateSealing } from '../../scale/sealing.js';
import { type Measured, rounded } from '../results/measurement.js';
import { readResults } from '../results/write-results.js';

const ratesPerSecond = [10, 100, 300, 1_000] as const;
/** Between processes and database, and until a COMMIT is on disk: the same host, one zone, and a standby that confirms. */
const places = [
  { name: 'one zone', roundTripMs: 0.5, flushMs: 1 },
  { name: 'with a synchronous standby', roundTripMs: 0.5, flushMs: 3 },
] as const;
/** The database's own cores; API and workers have others, and as many processes as they need. */
const machine: Machine = { cores: 16, callersHaveOwnCores: true, callers: 1_000, connections: 400 };
/** As long as a run is open: models of ten to fifteen seconds in each of four stages. */
const openSeconds = 60;
const sealing = { batchRows: 100, pauseMs: 1_000 };
const entriesPerReport = 2;
const simulatedSeconds = 120;

/**
 * Simulates what is measured by `scale` on a bigger machine: the most a second, and how long a transaction takes at some
 * rates. No time is measured.
 */
export function benchScaleRates(): Promise<Measured> {
  const { by_setting: found, sealing: seal } = measuredShape.parse(readResults()['scale']);
  const of = (kind: string, openRuns: boolean) => {
    const transaction = found.find(
      each => each.kind === kind && each.setting.startsWith('one machine') && hasOpenRuns(each) === openRuns,
    )?.transaction;
    if (transaction === undefined) throw new Error('first run the measurement scale');
    return transaction;
  };
  const [sale, completion] = [of('sale', false), of('completion', false)];
  const openRunMs = (of('sale', true).before.databaseMs - sale.before.databaseMs) / openRunsMeasured;
  const lines = places.flatMap(place => [
    lineOf(`completions, ${place.name}`, () => ({ ...completion, ...place })),
    lineOf(`sales without a ceiling, ${place.name}`, () => ({ ...sale, ...place })),
    lineOf(`sales below a ceiling, ${place.name}`, perSecond =>
      withOpenRuns({ ...sale, ...place }, openRunMs * perSecond * openSeconds),
    ),
  ]);
  const cost = { ...sealing, batchMs: seal.batch_ms, rowMs: seal.row_ms };
  return Promise.resolve(resultOf([...lines, sealingLine(cost)], openRunMs));
}

const openRunsMeasured = 10_000;

function hasOpenRuns({ setting }: { readonly setting: string }): boolean {
  return setting.includes('open runs');
}

const partShape = z.object({ statements: z.number(), callerMs: z.number(), databaseMs: z.number() });
const measuredShape = z.object({
  by_setting: z.array(
    z.object({
      setting: z.string(),
      kind: z.string(),
      transaction: z.object({
        before: partShape,
        lockingMs: z.number(),
        after: partShape,
        roundTripMs: z.number(),
        flushMs: z.number(),
      }),
    }),
  ),
  sealing: z.object({ batch_ms: z.number(), row_ms: z.number() }),
});

/** The open runs are counted before the lock is taken, by the database. */
function withOpenRuns({ before, ...transaction }: LockedTransaction, countMs: number): LockedTransaction {
  return { ...transaction, before: { ...before, databaseMs: before.databaseMs + countMs } };
}

interface Line {
  readonly name: string;
  readonly held_ms: number | null;
  readonly most_per_second: number;
  /** Mean time at each rate; null where the rate is more than the most. */
  readonly mean_ms: readonly (number | null)[];
}

function lineOf(name: string, at: (perSecond: number) => LockedTransaction): Line {
  const most = mostOf(at);
  return {
    name,
    held_ms: rounded(heldMs(at(0))),
    most_per_second: rounded(most, 0),
    mean_ms: ratesPerSecond.map(perSecond =>
      perSecond >= most
        ? null
        : rounded(simulateTransactions(at(perSecond), machine, { perSecond }).meanMs, 1),
    ),
  };
}

/** The rate at which as many end as arrive. It depends on itself where a transaction costs more the more runs are open. */
function mostOf(at: (perSecond: number) => LockedTransaction): number {
  let [low, high] = [0, perSecondMax(at(0), machine)];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (perSecondMax(at(middle), machine) >= middle) low = middle;
    else high = middle;
  }
  return low;
}

function sealingLine(cost: Parameters<typeof simulateSealing>[0]): Line {
  const most = sealedPerSecondMax(cost) / entriesPerReport;
  return {
    name: 'reports whose entries are sealed',
    held_ms: null,
    most_per_second: rounded(most, 0),
    mean_ms: ratesPerSecond.map(perSecond => {
      if (perSecond >= most) return null;
      const load = { perSecond: perSecond * entriesPerReport, seconds: simulatedSeconds };
      return rounded(simulateSealing(cost, load, seededRandom('rates')).meanWaitMs, 0);
    }),
  };
}

function resultOf(lines: readonly Line[], openRunMs: number): Measured {
  return {
    figures: {
      machine_simulated: machine,
      open_seconds: openSeconds,
      database_ms_per_thousand_open_runs: rounded(1_000 * openRunMs, 3),
      by_transaction: lines,
    },
    table: {
      head: ['', 'lock held, ms', 'most a second', ...ratesPerSecond.map(rate => `ms at ${rate} a second`)],
      rows: lines.map(({ name, held_ms, most_per_second, mean_ms }) => [
        name,
        held_ms ?? '',
        most_per_second,
        ...mean_ms.map(ms => ms ?? 'too many'),
      ]),
    },
    goals: [],
  };
}
