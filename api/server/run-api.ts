import { randomBytes, randomUUID } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { Client, Connection } from '@temporalio/client';
import type { Logger } from 'pino';
import { readBatchFigures } from '../../db/batches/batch-figures.js';
import { connect, type Db } from '../../db/database.js';
import { readHouseToday } from '../../db/house/house-day.js';
import { readMoneyInFlight } from '../../db/ledger/money-in-flight.js';
import { listenForReportChanges } from '../../db/reports/report-changes.js';
import { readWebhookFigures } from '../../db/webhooks/waiting.js';
import { createPaymentGateway } from '../../payments/stripe-client.js';
import { encryptionKeys } from '../../platform/keys/encryption-keys.js';
import { createMailer } from '../../platform/mail/create-mailer.js';
import type { Mailer } from '../../platform/mail/mailer.js';
import type { MailResult } from '../../platform/mail/smtp-mailer.js';
import { choosePort } from '../../platform/net/free-port.js';
import { createMailLog } from '../../platform/settings/logger.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import { publicUrlOf, type Settings, salesPolicyOf } from '../../platform/settings/settings.js';
import { trustedOriginsOf } from '../../platform/settings/trusted-origins.js';
import { createMetrics, type Metrics } from '../../platform/telemetry/metrics.js';
import { metricsPage } from '../../platform/telemetry/metrics-page.js';
import { metricsAt, serveOperators } from '../../platform/telemetry/serve-operators.js';
import { carryTrace } from '../../platform/telemetry/tracing.js';
import { temporalAddress } from '../../platform/temporal/connection.js';
import { withHandshakeTimeout } from '../../platform/temporal/handshake-timeout.js';
import { readTemporalManifest, type TemporalManifest } from '../../platform/temporal/manifest.js';
import { checkTarget } from '../../platform/webhooks/check-target.js';
import { loadModelCatalogue, searchingMembers } from '../../providers/model-catalogue.js';
import { logCeiling } from '../../purchase/house-ceilings.js';
import { createBatchRuns } from '../../sales/batch-runs.js';
import { createTemporalPurchaser, runSettings } from '../../sales/temporal-purchaser.js';
import { verifyAccount } from '../auth/accounts.js';
import { openSessions } from '../auth/sessions.js';
import type { ApiContext } from '../context.js';
import { loadPageRenderer } from '../pages/page-renderer.js';
import { addressOf } from '../routes/well-known.js';
import { createThrottling } from '../throttling/create-throttling.js';
import { openMarket } from './open-market.js';
import { readinessOf, recordHeadOf, type Served, serve } from './serve.js';

const loopback = '127.0.0.1';

/** How `npm start` runs the API, unlike a deployment. */
export interface Launched {
  /** Temporal is the embedded server. */
  readonly isEmbedded: boolean;
  /** The launcher has chosen the port of the metrics, and only this machine may reach it. */
  readonly metricsOnLoopback: boolean;
}

/**
 * Builds the API from the settings and serves it. Starts without database and Temporal: until they are
 * reachable, `/readyz` and the routes that need them respond with 503.
 */
export async function runApi(given: Settings, log: Logger, launched: Launched): Promise<Served> {
  const settings = await withKnownPort(given);
  const { databaseUrl, directUrl } = databaseUrlsOf(settings);
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const onError = (err: unknown, what: string) => log.warn({ err }, what);
  const { db, pool, reportChanges, close } = connectDatabase({ databaseUrl, directUrl }, onError);
  const { client, connection, namespace } = connectTemporal(manifest);
  const shared = { ...sharedBy(settings, db), metrics: createMetrics(), log, ...placeOf(settings) };
  const starting = { ...shared, ...runOptions(settings, manifest, launched.isEmbedded), client };
  const keyRing = encryptionKeys(settings);
  const mailing = { ...shared, mailer: openMailer(settings, log, shared.metrics) };
  const sessions = openSessions(settings, directUrl, keyRing, {
    ...mailing,
    addressVerified: verifyAccount(shared),
    onSignUp: () => shared.metrics.signUps.inc(),
  });
  const served = await serve(
    {
      ...mailing,
      reportChanges,
      securityContact: addressOf(settings.MAIL_FROM),
      markets: openMarket(settings, shared),
      purchaser: createTemporalPurchaser({ ...starting, onError, onCeiling: logCeiling(log) }),
      batchRuns: createBatchRuns(starting),
      payments: createPaymentGateway(settings),
      ...sessions,
      ...createThrottling(pool, onError),
      keyRing,
      pages: await loadPageRenderer(),
      readiness: readinessOf(db, client),
      recordHead: recordHeadOf(db),
      randomBytes,
    },
    settings.HOST,
    settings.PORT,
  );
  const operators = await serveMetrics(settings, launched, shared);
  log.info({ url: served.url, metricsUrl: operators?.url, namespace }, 'the API is listening');
  return {
    url: served.url,
    close: async () => {
      await Promise.all([served.close(), operators?.close()]);
      await Promise.all([connection.close(), mailing.mailer.close(), sessions.accounts?.close(), close()]);
    },
  };
}

/** What the routes and the purchaser both depend on. */
function sharedBy(settings: Settings, db: Db) {
  return {
    db,
    simulated: settings.COUNCIL_PROVIDERS === 'simulated',
    policy: salesPolicyOf(settings),
    now: () => new Date(),
    newId: randomUUID,
  };
}

interface DatabaseUrls {
  readonly databaseUrl: string;
  /** For what needs a session: it leads past a pooler in transaction mode. */
  readonly directUrl: string;
}

/** @throws Error if it is not set */
function databaseUrlsOf({ DATABASE_URL, DATABASE_DIRECT_URL }: Settings): DatabaseUrls {
  if (DATABASE_URL !== undefined) {
    return { databaseUrl: DATABASE_URL, directUrl: DATABASE_DIRECT_URL ?? DATABASE_URL };
  }
  throw new Error('DATABASE_URL is required; `npm start` brings its own database.');
}

/** The pool, and the connection on which changes of reports are heard. */
function connectDatabase(
  { databaseUrl, directUrl }: DatabaseUrls,
  onError: (error: unknown, what: string) => void,
) {
  const { db, pool, close } = connect(databaseUrl, error => onError(error, 'a database connection failed'));
  const reportChanges = listenForReportChanges({ databaseUrl: directUrl, onError });
  return { db, pool, reportChanges, close: () => Promise.all([reportChanges.close(), close()]) };
}

/** Where and how runs start. */
function runOptions(settings: Settings, manifest: TemporalManifest, isEmbedded: boolean) {
  const { STAGE_DEADLINES_MS: stageDeadlinesMs, EVIDENCE, RESEARCH_DEADLINE_MS } = settings;
  const searchers = searchingMembers(loadModelCatalogue(projectFiles.modelCatalogue));
  const research = EVIDENCE === 'search' ? { searchers, deadlineMs: RESEARCH_DEADLINE_MS } : null;
  return {
    taskQueue: manifest.task_queue,
    runs: runSettings(manifest, { stageDeadlinesMs, research, isEmbedded }),
  };
}

function openMailer(settings: Settings, log: Logger, { mails }: Metrics): Mailer {
  const count = (result: MailResult) => mails.inc({ result });
  return createMailer(settings, { log, mailLog: createMailLog(), count });
}

/** `/metrics` on a port of its own; null if there is none. */
function serveMetrics(
  { METRICS_PORT, HOST }: Settings,
  { metricsOnLoopback }: Launched,
  {
    db,
    simulated,
    policy,
    metrics,
    now,
  }: Pick<ApiContext, 'db' | 'simulated' | 'policy' | 'metrics' | 'now'>,
): Promise<Served> | null {
  if (METRICS_PORT === undefined) return null;
  const page = metricsPage({
    metrics,
    readMoney: () => readMoneyInFlight(db, now()),
    readHouse: () => readHouseToday(db, { simulated, now: now() }),
    readLostBuilds: null,
    readWebhooks: () => readWebhookFigures(db, now()),
    readBatches: () => readBatchFigures(db, now()),
    policy,
    sdkUrl: null,
  });
  return serveOperators(metricsOnLoopback ? loopback : HOST, METRICS_PORT, request =>
    metricsAt(request, page),
  );
}

/** A free port is chosen before the API listens on it, because the addresses of the service contain it. */
async function withKnownPort(settings: Settings): Promise<Settings> {
  return settings.PORT === 0 ? { ...settings, PORT: await choosePort(0, settings.HOST) } : settings;
}

/** Where callers reach the service, through whom, and where their webhooks may go. */
function placeOf(settings: Settings) {
  const ownAddresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return {
    publicUrl: publicUrlOf(settings),
    trustedOrigins: trustedOriginsOf(
      settings,
      ownAddresses.map(({ address }) => address),
    ),
    trustedProxies: settings.TRUSTED_PROXIES,
    checkWebhookTarget: (url: string) => checkTarget(url, settings.WEBHOOK_TARGETS),
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
