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
  const { db, close } = connect(settings.DATABASE_URL, err => onError(err, 'a database connection failed'));
  const { client, connection, namespace } = connectTemporal(manifest);
  const shared = {
    db,
    simulated: settings.COUNCIL_PROVIDERS === 'simulated',
    now: () => new Date(),
    newId: randomUUID,
  };
  const { STAGE_DEADLINES_MS: stageDeadlinesMs, EVIDENCE, RESEARCH_DEADLINE_MS } = settings;
  const researchDeadlineMs = EVIDENCE === 'search' ? RESEARCH_DEADLINE_MS : null;
  const keyRing = encryptionKeys(settings);
  const sessions = openSessions(settings, settings.DATABASE_URL, keyRing, log);
  const served = await serve(
    {
      ...shared,
      publicUrl: publicUrlOf(settings),
      markets: createEventSource(settings),
      purchaser: createTemporalPurchaser({
        ...shared,
        client,
        taskQueue: manifest.task_queue,
        workflowInput: defaultWorkflowInput(manifest, { stageDeadlinesMs, researchDeadlineMs, isEmbedded }),
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

/** Connects on first use and reconnects after a failure. */
function connectTemporal(manifest: TemporalManifest) {
  const { connectionOptions, namespace } = temporalAddress(manifest);
  const channelArgs = { channelFactoryOverride: withHandshakeTimeout() };
  const connection = Connection.lazy({ ...connectionOptions, channelArgs });
  const client = new Client({ connection, namespace, interceptors: { workflow: [carryTrace] } });
  return { client, connection, namespace };
}
