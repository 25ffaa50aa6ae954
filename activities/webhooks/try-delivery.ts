import { ApplicationFailure, activityInfo, cancellationSignal } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.js';
import { readSigningSecrets } from '../../db/webhooks/secrets.js';
import { type DueTry, noteBusy, openTry, recordTry, type StoredTry } from '../../db/webhooks/tries.js';
import type { EncryptionKey } from '../../platform/keys/key-ring.js';
import { unseal } from '../../platform/keys/seal.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { SendWebhook, WebhookResult } from '../../platform/webhooks/send-webhook.js';
import { signWebhook } from '../../platform/webhooks/sign-webhook.js';
import { afterTry } from '../../purchase/webhooks.js';

export interface DeliveryDependencies {
  readonly db: Db;
  readonly keyRing: readonly EncryptionKey[];
  readonly send: SendWebhook;
  /** Tells the owner of an endpoint that it was disabled because its deliveries fail. Never rejects. */
  readonly mailFailing: (accountId: string) => void;
  readonly metrics: Pick<Metrics, 'webhookTries' | 'webhooksDisabled'>;
  readonly log: Pick<Logger, 'info'>;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
  /** The pauses between tries, in seconds; unset, those of the contract. */
  readonly pausesSeconds?: readonly number[] | undefined;
}

export interface NextTry {
  readonly waitMs: number;
}

/**
 * Tries a delivery if it is due, and stores what came of it. The secrets, the address and the body are read here, so that
 * no history has them. A worker that dies after the receiver has answered sends the same again, with the same id.
 * @returns when to call again; null if nothing is left to do
 */
export function createTryDelivery(deps: DeliveryDependencies) {
  const inFlight = new Map<string, number>();
  return async (deliveryId: string): Promise<NextTry | null> => {
    const opened = await openTry(deps.db, deliveryId, deps.now());
    if (opened.kind === 'ended') return null;
    if (opened.kind === 'later') return waitUntil(opened.at, deps);
    const free = takePlace(inFlight, opened.endpointId);
    if (free === null) {
      await noteBusy(deps.db, deliveryId, deps.now());
      throw endpointBusy(deps.random());
    }
    try {
      return await attempt(deps, deliveryId, opened);
    } finally {
      free();
    }
  };
}

/** A receiver that hangs holds these tries of a worker, for 15 seconds each, and no others. */
const inFlightPerEndpointMax = 5;

/** @returns how to give the place back; null if the endpoint has all its places in use */
function takePlace(inFlight: Map<string, number>, endpointId: string): (() => void) | null {
  const others = inFlight.get(endpointId) ?? 0;
  if (others >= inFlightPerEndpointMax) return null;
  inFlight.set(endpointId, others + 1);
  return () => {
    const left = (inFlight.get(endpointId) ?? 1) - 1;
    if (left === 0) inFlight.delete(endpointId);
    else inFlight.set(endpointId, left);
  };
}

/**
 * A try without a place is made again later, each time after a longer pause, so that thousands that wait for one receiver
 * take no room from others. As a retry of the activity, it adds nothing to the history.
 */
function endpointBusy(random: number): ApplicationFailure {
  const pauseMs = Math.min(busyPauseMinMs * 2 ** (activityInfo().attempt - 1), busyPauseMaxMs);
  return ApplicationFailure.create({
    type: 'endpoint_busy',
    message: 'The endpoint has as many tries in flight as it may.',
    nextRetryDelay: Math.round(pauseMs * (1 + random / 2)),
    category: ApplicationFailureCategory.BENIGN,
  });
}

const busyPauseMinMs = 1_000;
/** With the random part, less than the time after which a delivery counts as overdue. */
const busyPauseMaxMs = 60_000;

async function attempt(deps: DeliveryDependencies, deliveryId: string, due: DueTry): Promise<NextTry | null> {
  const { db, now, random, pausesSeconds, metrics, log, mailFailing } = deps;
  const tried = storedOf(await deps.send(await requestOf(deps, deliveryId, due)), now());
  const end = await recordTry(db, { ...due, deliveryId }, tried, each =>
    afterTry(each, random(), pausesSeconds),
  );
  if (end === null) return null;
  metrics.webhookTries.inc({ outcome: end.after.kind });
  if (end.disabled !== null) {
    metrics.webhooksDisabled.inc({ reason: end.disabled.reason });
    log.info({ endpointId: due.endpointId, reason: end.disabled.reason }, 'a webhook endpoint is disabled');
    if (end.disabled.reason === 'failing') mailFailing(end.disabled.accountId);
  }
  return end.nextAt === null ? null : waitUntil(end.nextAt, deps);
}

/** The headers of Standard Webhooks 1.0. */
async function requestOf(
  { db, keyRing, now }: DeliveryDependencies,
  deliveryId: string,
  { endpointId, url, body }: DueTry,
) {
  const at = now();
  const sealed = await readSigningSecrets(db, endpointId, at);
  const secrets = sealed.map(({ id, accountId, provider, ...parts }) =>
    unseal(keyRing, parts, { keyId: id, accountId, provider }),
  );
  const timestamp = Math.floor(at.getTime() / 1_000);
  return {
    url,
    body,
    signal: cancellationSignal(),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'council-report-service',
      'webhook-id': deliveryId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(secrets, deliveryId, timestamp, body),
    },
  };
}

function storedOf(result: WebhookResult, now: Date): StoredTry {
  if (result.kind === 'answered') {
    const { status: statusCode, retryAfterSeconds, excerpt } = result;
    return { statusCode, retryAfterSeconds, excerpt, error: null, now };
  }
  return { statusCode: null, retryAfterSeconds: null, excerpt: null, error: result.reason, now };
}

function waitUntil(at: Date, { now }: Pick<DeliveryDependencies, 'now'>): NextTry {
  return { waitMs: Math.max(0, at.getTime() - now().getTime()) };
}
