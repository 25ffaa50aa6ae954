import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Db } from '../db/database.js';
import type { PaymentGateway } from '../payments/payment-gateway.js';
import type { Metrics } from '../telemetry/metrics.js';

/** The world of the chores. */
export interface ChoreDependencies {
  readonly db: Db;
  /** Null where no payments are configured: usage then waits in the outbox. */
  readonly payments: UsageSender | null;
  /** Knows the namespace that the runs are in. */
  readonly temporal: Client;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** The payment gateway, as far as the chores know it. */
export type UsageSender = Pick<PaymentGateway, 'sendUsage' | 'cancelUsage'>;
