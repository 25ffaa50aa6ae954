import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import type { Metrics } from '../../telemetry/metrics.js';

/** What the chores do to the world, one verb each: they keep money right where a run no longer can. */
export interface MaintenanceActivities {
  /** Sends what subscriptions are billed for. */
  sendUsage(): Promise<UsageRound>;
  /** Gives back what was charged by runs that have ended without an end. */
  releaseStranded(): Promise<StrandedRound>;
  /** Holds the books against themselves. */
  checkLedger(): Promise<LedgerCheck>;
  /** Takes back what weekly grants still hold after their end. */
  expireGrants(): Promise<{ expired: number }>;
}

export interface UsageRound {
  readonly sent: number;
  readonly held: number;
  /** Voided before they were sent, or while they were. */
  readonly voided: number;
  /** Still to be sent. */
  readonly troubled: number;
  /** False: payments are not configured, or cannot be reached. */
  readonly reached: boolean;
}

export interface StrandedRound {
  readonly released: number;
  readonly running: number;
  /** Temporal does not know their run, and they are too young to be given up. */
  readonly waiting: number;
  /** Could not be looked at or given back; the next round tries again. */
  readonly troubled: number;
}

export interface LedgerCheck {
  /** One sentence each; the first of them where there are many. */
  readonly drift: readonly string[];
  readonly drifts: number;
  readonly notices: number;
  readonly checked: Readonly<Record<string, number>>;
}

/** The world of the chores. */
export interface MaintenanceDependencies {
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
