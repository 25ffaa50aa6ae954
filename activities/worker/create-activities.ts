import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.js';
import type { Pairs } from '../../markets/pairs.js';
import { createPaymentGateway } from '../../payments/stripe-client.js';
import type { EncryptionKey } from '../../platform/keys/key-ring.js';
import { type Settings, salesPolicyOf } from '../../platform/settings/settings.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { TemporalManifest } from '../../platform/temporal/manifest.js';
import { openTimestampAuthority } from '../../platform/timestamps/timestamp-authority.js';
import type { ModelCatalogue } from '../../providers/model-catalogue.js';
import type { OpenProviders } from '../../providers/open-providers.js';
import { logCeiling } from '../../purchase/house-ceilings.js';
import { createBatchActivities } from '../batches/batch-activities.js';
import { createRefitActivities } from '../estimate/refit-activities.js';
import { createGradingActivities } from '../grading/grading-activities.js';
import { createMaintenanceActivities } from '../maintenance/maintenance-activities.js';
import { createReportActivities } from '../report/report-activities.js';
import { openVenues } from './open-venues.js';

/** What the activities of a worker depend on. */
export interface WorkerWorld {
  readonly settings: Settings;
  readonly log: Logger;
  readonly db: Db;
  readonly keyRing: readonly EncryptionKey[];
  readonly manifest: TemporalManifest;
  readonly catalogue: ModelCatalogue;
  readonly pairs: Pairs;
  readonly open: OpenProviders;
  readonly metrics: Metrics;
  readonly temporal: Client;
  /** Aborted when the worker is asked to stop. */
  readonly stopping: AbortSignal;
}

/** The activities of a worker but those of webhooks, as the settings want them. */
export function createActivities(world: WorkerWorld) {
  const { settings, log, db, open, metrics, temporal } = world;
  const now = () => new Date();
  const simulated = settings.COUNCIL_PROVIDERS === 'simulated';
  const sales = { db, simulated, policy: salesPolicyOf(settings), now, newId: randomUUID };
  const { venues, rowVenues, kalshiEvents, readOtherVenue } = openVenues({ ...world, now });
  const payments = createPaymentGateway(settings);
  return {
    ...createReportActivities({
      ...sales,
      providers: open.providers,
      providersWith: open.providersWith,
      keyRing: world.keyRing,
      catalogue: world.catalogue,
      metrics,
      capturesContent: settings.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
      readOtherVenue,
      log,
    }),
    ...createBatchActivities({
      ...sales,
      rowVenues,
      client: temporal,
      taskQueue: world.manifest.task_queue,
      onCeiling: logCeiling(log),
      onError: (err, what) => log.warn({ err }, what),
      stopping: world.stopping,
    }),
    ...createMaintenanceActivities({
      db,
      metrics,
      payments,
      checkoutReader: payments,
      timestampAuthority: openTimestampAuthority(settings),
      kalshiEvents,
      temporal,
      now,
      log,
    }),
    ...createGradingActivities({ db, venues, now, log }),
    ...createRefitActivities({ db, now, log }),
  };
}
