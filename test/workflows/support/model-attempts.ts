import { randomUUID } from 'node:crypto';
import { afterAll, afterEach } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createReportActivities } from '../../../activities/report/report-activities.js';
import type { Db } from '../../../db/database.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';
import { createProviders, type ProviderKeys } from '../../../providers/create-providers.js';
import { loadModelCatalogue } from '../../../providers/model-catalogue.js';
import { type Simulator, startSimulator } from '../../../simulator/simulator.js';
import { unlimitedSales } from '../../council/fixtures.js';
import { openRuns } from '../../db/support/purchases.js';
import { useTestWorld } from '../../db/support/test-world.js';

export const budgetMs = 60_000;
const logger = new DefaultLogger('ERROR', () => undefined);

export type Attempt = ReturnType<typeof createAttempts>;

/** A database, a simulator whose faults outlive no test, and attempts that are made on them. */
export async function useAttempts() {
  const world = useTestWorld();
  const simulator = await startSimulator();
  afterAll(() => simulator.close());
  afterEach(() => simulator.clearFaults());
  const { processing } = openRuns(world);
  /** As another worker makes them. */
  const newWorker = () => createAttempts(world.db, simulator);
  let worker: Attempt | undefined;
  return {
    world,
    simulator,
    processing,
    newWorker,
    attempt: (...given: Parameters<Attempt>) => {
      worker ??= newWorker();
      return worker(...given);
    },
    /** The calls that are paid for or estimated, in their order. */
    recorded: (reportId: number) =>
      world.sql(
        `select outcome, used, cost_usd_micros > 0 as paid, estimated_usd_micros::int as estimated, latency_ms
         from provider_calls where report_id = $1 order by id`,
        [reportId],
      ),
  };
}

/** Attempts of Claude's opinion or search, as one worker makes them, and what its vendor sees of each. */
function createAttempts(db: Db, simulator: Simulator) {
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  const providersWith = (keys: ProviderKeys) =>
    createProviders({ catalogue, keys, baseUrls: simulator.baseUrls });
  const { askOpinion, askResearch } = createReportActivities({
    db,
    providers: providersWith({ anthropic: 'test-provider-key' }),
    providersWith,
    keyRing: [],
    catalogue,
    metrics: createMetrics(),
    readOtherVenue: async () => null,
    simulated: true,
    capturesContent: false,
    policy: unlimitedSales,
    log: { warn: () => undefined },
    now: () => new Date(),
    newId: randomUUID,
  });
  return (reportId: number, heartbeatDetails?: unknown, stage: 'opinions' | 'research' = 'opinions') => {
    const environment = new MockActivityEnvironment(
      { heartbeatDetails, heartbeatTimeoutMs: 5_000 },
      { logger },
    );
    const heartbeats: unknown[] = [];
    environment.on('heartbeat', details => heartbeats.push(details));
    const before = simulator.calls.length;
    const ended = environment
      .run(async () => {
        const call = { reportId, model: 'claude', of: 4, budgetMs } as const;
        if (stage === 'research') return askResearch(call);
        await askOpinion(call);
        return 'stored';
      })
      .then(
        result => result,
        error => error,
      );
    return { environment, ended, heartbeats, calls: () => simulator.calls.slice(before) };
  };
}
