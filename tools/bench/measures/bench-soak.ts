import { setTimeout as pause } from 'node:timers/promises';
import { ReportBuyer } from '../load/report-buyer.js';
import { type Measured, median, rounded } from '../results/measurement.js';
import { readSoakSample, type SoakSample } from '../results/soak-sample.js';
import { type BenchedService, withService } from '../services/with-service.js';

const reportsPerSecond = 5;
const modelMs = 1_000;
const sampleEveryMs = 60_000;
/** The first and the last samples that are compared; fewer if the soak is shorter than three times this. */
const windowMinutes = 10;

/**
 * A steady load for a given time: memory, connections, file descriptors and table sizes of each process, every
 * minute. What the first minutes and the last ones differ by is a leak, or has to be explained.
 */
export async function benchSoak(env: NodeJS.ProcessEnv, minutes: number): Promise<Measured> {
  return withService(env, { metricsPages: true }, async service => {
    const buyer = await ReportBuyer.create(service, Math.ceil(minutes * 60 * reportsPerSecond) + 1);
    await service.slowDown([{ ms: modelMs }]);
    const load = new SteadyArrivals(buyer);
    const samples = await sampleWhile(load, service, minutes);
    await load.ended();
    return resultOf(samples, buyer, load, await failedReports(service));
  });
}

/** Buys at a fixed rate, whether earlier reports have ended or not. */
class SteadyArrivals {
  private readonly buyer: ReportBuyer;
  private readonly running = new Set<Promise<void>>();
  readonly failures: string[] = [];
  bought = 0;
  completed = 0;

  constructor(buyer: ReportBuyer) {
    this.buyer = buyer;
  }

  get inFlight(): number {
    return this.running.size;
  }

  /** Buys what is due by now. */
  buyDue(sinceMs: number): void {
    const due = Math.floor(((performance.now() - sinceMs) / 1_000) * reportsPerSecond);
    while (this.bought < due) {
      this.bought += 1;
      const done = this.buyOne()
        .catch((error: unknown) => void this.failures.push(String(error)))
        .finally(() => this.running.delete(done));
      this.running.add(done);
    }
  }

  async ended(): Promise<void> {
    await Promise.all(this.running);
  }

  private async buyOne(): Promise<void> {
    const { reportId } = await this.buyer.buy();
    await this.buyer.untilEnded(reportId);
    this.completed += 1;
  }
}

async function sampleWhile(
  load: SteadyArrivals,
  service: BenchedService,
  minutes: number,
): Promise<SoakSample[]> {
  const samples: SoakSample[] = [];
  const startMs = performance.now();
  while (samples.length < minutes) {
    load.buyDue(startMs);
    if (performance.now() - startMs >= (samples.length + 1) * sampleEveryMs) {
      const sample = await readSoakSample(service);
      samples.push({ ...sample, 'reports in flight': load.inFlight });
      console.log(`${samples.length} min: ${JSON.stringify(samples.at(-1))}`);
    }
    await pause(1_000 / reportsPerSecond / 2);
  }
  return samples;
}

function resultOf(
  samples: readonly SoakSample[],
  buyer: ReportBuyer,
  load: SteadyArrivals,
  failed: number,
): Measured {
  const window = Math.max(1, Math.min(windowMinutes, Math.floor(samples.length / 3)));
  const names = Object.keys(samples[0] ?? {});
  const rows = names.map(name => {
    const values = samples.map(sample => sample[name] ?? Number.NaN);
    return {
      name,
      first: rounded(median(values.slice(0, window)), 1),
      last: rounded(median(values.slice(-window)), 1),
      slopePerHour: rounded(slope(values) * 60, 1),
    };
  });
  return {
    figures: {
      minutes: samples.length,
      reports_bought: load.bought,
      reports_ended: load.completed,
      reports_failed: failed,
      purchases_refused: buyer.refused,
      purchases_failed: load.failures.slice(0, 10),
      compared_minutes: window,
      by_figure: rows,
    },
    table: {
      head: [
        `${load.bought} reports in ${samples.length} minutes`,
        `first ${window} minutes`,
        `last ${window} minutes`,
        'slope per hour',
      ],
      rows: rows.map(({ name, first, last, slopePerHour }) => [name, first, last, slopePerHour]),
    },
    goals: [
      { what: 'reports that did not complete', value: failed + load.failures.length, atMost: 0 },
      { what: 'reports bought and not ended', value: load.bought - load.completed, atMost: 0 },
    ],
  };
}

/** The least-squares slope per sample, without the first fifth, in which caches and heaps fill. */
function slope(all: readonly number[]): number {
  const values = all.slice(Math.floor(all.length / 5));
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  if (spread === 0) return 0;
  return values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0) / spread;
}

async function failedReports({ database }: BenchedService): Promise<number> {
  const { rows } = await database.db
    .selectFrom('reports')
    .select(eb => eb.fn.countAll<number>().as('rows'))
    .where('status', '!=', 'completed')
    .executeTakeFirstOrThrow();
  return rows;
}
