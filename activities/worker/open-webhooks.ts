import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.js';
import { readWebhookFigures, type WebhookFigures } from '../../db/webhooks/waiting.js';
import type { EncryptionKey } from '../../platform/keys/key-ring.js';
import { createMailer } from '../../platform/mail/create-mailer.js';
import { createMailLog } from '../../platform/settings/logger.js';
import { publicUrlOf, type Settings } from '../../platform/settings/settings.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { TemporalManifest } from '../../platform/temporal/manifest.js';
import { createWebhookSender } from '../../platform/webhooks/send-webhook.js';
import { createFailingMail } from '../webhooks/mail-failing.js';
import { createWebhookActivities, type WebhookActivities } from '../webhooks/webhook-activities.js';
import { handOverContinually } from './hand-over-continually.js';

export interface WebhookWorld {
  readonly settings: Settings;
  readonly db: Db;
  readonly keyRing: readonly EncryptionKey[];
  readonly manifest: TemporalManifest;
  readonly metrics: Metrics;
  readonly temporal: Client;
  readonly log: Logger;
  /** The pauses between tries, in seconds; unset, those of the contract. */
  readonly pausesSeconds?: readonly number[] | undefined;
}

/** What a worker does for webhooks. */
export interface Webhooks {
  readonly activities: WebhookActivities;
  /** Begins to hand deliveries to Temporal. @returns how to stop it */
  readonly handOver: () => () => Promise<void>;
  /** What waits, for the metrics. */
  readonly figures: () => Promise<WebhookFigures>;
  /** Gives mails that are being sent some seconds. */
  readonly close: () => Promise<void>;
}

/** The part of the composition that concerns webhooks. */
export function openWebhooks(world: WebhookWorld): Webhooks {
  const { settings, metrics, log } = world;
  const count = (result: 'sent' | 'failed') => metrics.mails.inc({ result });
  const mailer = createMailer(settings, { log, mailLog: createMailLog(), count });
  const now = () => new Date();
  const activities = createWebhookActivities({
    ...world,
    send: createWebhookSender({ policy: settings.WEBHOOK_TARGETS }),
    mailFailing: createFailingMail({ ...world, mailer, publicUrl: publicUrlOf(settings) }),
    now,
    random: Math.random,
  });
  return {
    activities,
    figures: () => readWebhookFigures(world.db, now()),
    handOver: () => handOverContinually({ ...world, now }),
    close: () => mailer.close(),
  };
}
