import { randomBytes, randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { encryptionKeys } from '../../config/keys/encryption-keys.js';
import { projectFiles } from '../../config/project-files.js';
import { publicUrlOf, type Settings } from '../../config/settings.js';
import { temporalAddress } from '../../config/temporal/connection.js';
import { withHandshakeTimeout } from '../../config/temporal/handshake-timeout.js';
import { readTemporalManifest, type TemporalManifest } from '../../config/temporal/manifest.js';
import { requestsPerMinutePerAddress, requestsPerMinutePerCredential } from '../../council/limits.js';
import { connect } from '../../db/database.js';
import { listenForReportChanges } from '../../db/reports/report-changes.js';
import { createEventSource } from '../../markets/create-event-source.js';
import { createPaymentGateway } from '../../payments/stripe-client.js';
import { createMetrics } from '../../telemetry/metrics.js';
import { carryTrace } from '../../telemetry/tracing.js';
import { openSessions } from '../auth/sessions.js';
import { loadPageRenderer } from '../pages/page-renderer.js';
import { createTemporalPurchaser, defaultWorkflowInput } from '../purchases/temporal-purchaser.js';
import { readinessOf, type Served, serve } from './serve.js';

const requestsPerMinute = {
  address: requestsPerMinutePerAddress,
  credential: requestsPerMinutePerCredential,
};

/**
 * Builds the API from the settings and serves it. Starts without database and Temporal: until they are
 * reachable, `/readyz` and the routes that need them respond with 503.
 * @param isEmbedded whether Temporal is the embedded server of `npm start`
 */
export async function runApi(settings: Settings, log: Logger, isEmbedded: boolean): Promise<Served> {
  if (settings.DATABASE_URL === undefined)
    throw new Error('DATABASE_URL is required; `npm start` brings its own database.');
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const onError = (err: unknown, what: string) => log.warn({ err }, what);
  const { db, reportChanges, close } = connectDatabase(settings.DATABASE_URL, onError);
  const { client, connection, namespace } = connectTemporal(manifest);
  const shared = {
    db,
    simulated: settings.COUNCIL_PROVIDERS === 'simulated',
    now: () => new Date(),
    newId: randomUUID,
  };
  const keyRing = encryptionKeys(settings);
  const sessions = openSessions(settings, settings.DATABASE_URL, keyRing, { log, now: shared.now });
  const served = await serve(
    {
      ...shared,
      reportChanges,
      publicUrl: publicUrlOf(settings),
      markets: createEventSource(settings),
      purchaser: createTemporalPurchaser({
        ...shared,
        client,
        taskQueue: manifest.task_queue,
        workflowInput: defaultWorkflowInput(manifest, { ...deadlinesOf(settings), isEmbedded }),
        onError,
      }),
      payments: createPaymentGateway(settings),
      ...sessions,
      requestsPerMinute,
      keyRing,
      metrics: createMetrics(),
      pages: await loadPageRenderer(),
      readiness: readinessOf(db, client),
      randomBytes,
      log,
    },
    settings.HOST,
    settings.PORT,
  );
  log.info({ url: served.url, namespace }, 'the API is listening');
  return {
    url: served.url,
    close: async () => {
      await served.close();
      await Promise.all([connection.close(), sessions.accounts?.close(), close()]);
    },
  };
}

function deadlinesOf({ STAGE_DEADLINES_MS: stageDeadlinesMs, EVIDENCE, RESEARCH_DEADLINE_MS }: Settings) {
  return { stageDeadlinesMs, researchDeadlineMs: EVIDENCE === 'search' ? RESEARCH_DEADLINE_MS : null };
}

/** The pool, and the connection on which changes of reports are heard. */
function connectDatabase(databaseUrl: string, onError: (error: unknown, what: string) => void) {
  const pool = connect(databaseUrl, error => onError(error, 'a database connection failed'));
  const reportChanges = listenForReportChanges({ databaseUrl, onError });
  return { db: pool.db, reportChanges, close: () => Promise.all([reportChanges.close(), pool.close()]) };
}

/** Connects on first use and reconnects after a failure. */
function connectTemporal(manifest: TemporalManifest) {
  const { connectionOptions, namespace } = temporalAddress(manifest);
  const channelArgs = { channelFactoryOverride: withHandshakeTimeout() };
  const connection = Connection.lazy({ ...connectionOptions, channelArgs });
  const client = new Client({ connection, namespace, interceptors: { workflow: [carryTrace] } });
  return { client, connection, namespace };
}
