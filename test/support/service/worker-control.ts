import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createBatchActivities } from '../../../activities/batches/batch-activities.js';
import { createRefitActivities } from '../../../activities/estimate/refit-activities.js';
import { createGradingActivities } from '../../../activities/grading/grading-activities.js';
import { createMaintenanceActivities } from '../../../activities/maintenance/maintenance-activities.js';
import type { UsageSender } from '../../../activities/maintenance/send-usage.js';
import {
  createReportActivities,
  type ReportActivities,
} from '../../../activities/report/report-activities.js';
import { createWebhookActivities } from '../../../activities/webhooks/webhook-activities.js';
import { createWorkers, type WorkerSetup } from '../../../activities/worker/create-workers.js';
import { handOverContinually } from '../../../activities/worker/hand-over-continually.js';
import { sealContinually } from '../../../activities/worker/seal-continually.js';
import type { Venue } from '../../../council/event.js';
import type { EventSource } from '../../../markets/event-source.js';
import type { KalshiEventList } from '../../../markets/kalshi/list-kalshi-events.js';
import type { ReadOtherVenue } from '../../../markets/read-other-venue.js';
import type { EncryptionKey } from '../../../platform/keys/key-ring.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { workerQueues } from '../../../platform/settings/setting-values.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';
import type { TemporalManifest } from '../../../platform/temporal/manifest.js';
import type { TimestampAuthority } from '../../../platform/timestamps/timestamp-authority.js';
import { createWebhookSender } from '../../../platform/webhooks/send-webhook.js';
import { createProviders, type ProviderKeys } from '../../../providers/create-providers.js';
import { loadModelCatalogue, searchingMembers } from '../../../providers/model-catalogue.js';
import { logCeiling, type SalesPolicy } from '../../../purchase/house-ceilings.js';
import type { Simulator } from '../../../simulator/simulator.js';
import type { TestDatabase } from './test-database.js';

/** A worker that a test can stop and restart. */
export function workerControl(world: WorkerWorld, build: WorkerBuild = {}) {
  let running: {
    end: () => void;
    stopping: AbortController;
    run: Promise<void>;
    stopSealing: () => Promise<void>;
    stopHandingOver: () => Promise<void>;
    connection: NativeConnection;
  } | null = null;
  const key = testProviderKey;
  const houseKeys = { openai: key, anthropic: key, google: key, xai: key };
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  const metrics = createMetrics();
  const providersWith = (keys: ProviderKeys) =>
    createProviders({ catalogue, keys, baseUrls: world.simulator.baseUrls });
  return {
    start: async () => {
      const stopping = new AbortController();
      const connection = await NativeConnection.connect({ address: world.address });
      const workers = await createWorkers({
        connection,
        namespace: world.manifest.namespace,
        manifest: world.manifest,
        workflowBundle: build.workflowBundle ?? { codePath: projectFiles.workflowBundle },
        queues: build.queues ?? workerQueues,
        version: build.version,
        activities: {
          ...world.around(
            createReportActivities({
              db: world.database.db,
              providers: providersWith(houseKeys),
              providersWith,
              keyRing: world.keyRing,
              catalogue,
              metrics,
              readOtherVenue: world.readOtherVenue,
              simulated: true,
              capturesContent: world.capturesContent,
              policy: world.policy,
              log: world.log,
              now: world.now,
              newId: randomUUID,
            }),
          ),
          ...createMaintenanceActivities({
            ...world,
            metrics,
            db: world.database.db,
            payments: world.usageSender,
            checkoutReader: null,
          }),
          ...createGradingActivities({ ...world, db: world.database.db }),
          ...createRefitActivities({ ...world, db: world.database.db }),
          ...createBatchActivities({
            db: world.database.db,
            rowVenues: world.venues,
            client: new Client({ connection, namespace: world.manifest.namespace }),
            taskQueue: world.manifest.task_queue,
            simulated: true,
            policy: world.policy,
            onCeiling: logCeiling(world.log),
            onError: (err, what) => world.log.warn({ err }, what),
            stopping: stopping.signal,
            now: world.now,
            newId: randomUUID,
          }),
          ...createWebhookActivities({
            ...world,
            db: world.database.db,
            metrics,
            send: createWebhookSender({ policy: 'any', timeoutMs: 2_000 }),
            mailFailing: world.webhooks.mailFailing ?? (() => undefined),
            random: () => 0,
            pausesSeconds: world.webhooks.pausesSeconds,
          }),
        },
      });
      let end = (): void => undefined;
      const asked = new Promise<void>(resolve => {
        end = resolve;
      });
      const stopSealing = sealContinually({ db: world.database.db, metrics, log: world.log });
      const stopHandingOver = handOverContinually({ ...world, db: world.database.db, metrics });
      running = { end, stopping, run: workers.runUntil(asked), stopSealing, stopHandingOver, connection };
    },
    stop: async () => {
      if (running === null) return;
      const { end, stopping, run, stopSealing, stopHandingOver, connection } = running;
      running = null;
      stopping.abort();
      end();
      await run;
      await Promise.all([stopSealing(), stopHandingOver()]);
      await connection.close();
    },
  };
}

/** The key of the house at each vendor. */
export const testProviderKey = 'test-provider-key';

/** Which build a worker is of, and its queues. Unless given, that of the project, not versioned, and all queues. */
export type WorkerBuild = Partial<Pick<WorkerSetup, 'workflowBundle' | 'version' | 'queues'>>;

export interface WorkerWorld {
  readonly address: string;
  readonly manifest: TemporalManifest;
  readonly database: TestDatabase;
  readonly simulator: Simulator;
  readonly venues: ReadonlyMap<Venue, EventSource>;
  readonly readOtherVenue: ReadOtherVenue;
  readonly kalshiEvents: KalshiEventList | null;
  readonly keyRing: readonly EncryptionKey[];
  readonly policy: SalesPolicy;
  readonly now: () => Date;
  readonly temporal: Client;
  readonly log: Logger;
  readonly usageSender: UsageSender | null;
  readonly timestampAuthority: TimestampAuthority | null;
  readonly capturesContent: boolean;
  readonly around: (real: ReportActivities) => ReportActivities;
  readonly webhooks: WebhookOptions;
}

export interface WebhookOptions {
  /** Default: those of the contract. */
  readonly pausesSeconds?: readonly number[];
  /** Default: no mail is sent. */
  readonly mailFailing?: (accountId: string) => void;
}

/** The members that search by the shipped catalogue; null if nobody is to search. */
export function researchPlan(deadlineMs: number | undefined) {
  const searchers = searchingMembers(loadModelCatalogue(projectFiles.modelCatalogue));
  return deadlineMs === undefined ? null : { searchers, deadlineMs };
}
