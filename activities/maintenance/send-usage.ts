import type { Logger } from 'pino';
import { usageFate } from '../../council/purchase/billing.js';
import { listPendingUsage, markUsageTried, type PendingUsage, settleUsage } from '../../db/billing/usage.js';
import type { Db } from '../../db/database.js';
import { type PaymentGateway, PaymentsUnavailable } from '../../payments/payment-gateway.js';

export interface SendDependencies {
  readonly db: Db;
  /** Null when payments are not configured: usage then waits in the outbox. */
  readonly payments: UsageSender | null;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export type UsageSender = Pick<PaymentGateway, 'sendUsage' | 'cancelUsage'>;

export interface UsageRound {
  readonly sent: number;
  readonly held: number;
  /** Voided before or while they were sent. */
  readonly voided: number;
  /** Still to be sent. */
  readonly failed: number;
  /** False when payments are not configured or the provider is unavailable. */
  readonly reachable: boolean;
}

/** Few enough for a round to end before the next one is due. */
const rowsPerRoundMax = 100;
/** This many refusals without a success are not the fault of a single row, but of a wrong secret or a closed account. */
const refusalsInARowMax = 10;

/**
 * One round of the usage outbox, oldest rows first. No row is locked while it is sent, and none is billed twice:
 * rounds do not overlap, and if an attempt that timed out is still running, both send the ID of the row, which the
 * provider counts once within 24 hours. The first try is stored BEFORE sending, so that a row whose response was lost
 * is sent again within those hours and never after them. Usage that is voided in the meantime is not sent; if it was
 * sent already, it is cancelled.
 */
export async function sendUsage(deps: SendDependencies): Promise<UsageRound> {
  const round = { sent: 0, held: 0, voided: 0, failed: 0 };
  if (deps.payments === null) return { ...round, reachable: false };
  let refusalsInARow = 0;
  for (const usage of await listPendingUsage(deps.db, rowsPerRoundMax)) {
    try {
      round[await settle(deps, deps.payments, usage)]++;
      refusalsInARow = 0;
    } catch (err) {
      deps.log.warn({ err, usage: usage.id }, 'usage was not sent; the next round tries again');
      round.failed++;
      refusalsInARow++;
      if (isUnavailable(err) || refusalsInARow === refusalsInARowMax) return { ...round, reachable: false };
    }
  }
  return { ...round, reachable: true };
}

async function settle(
  { db, now, log }: SendDependencies,
  payments: UsageSender,
  usage: PendingUsage,
): Promise<'sent' | 'held' | 'voided'> {
  const { id } = usage;
  if (usageFate(usage, now()) === 'hold') {
    if (!(await settleUsage(db, id, 'held', now()))) return 'voided';
    log.error({ usage: id }, 'usage is held for an operator: it is not known whether it was counted');
    return 'held';
  }
  if (!(await markUsageTried(db, id, now()))) return 'voided';
  await payments.sendUsage({
    identifier: id,
    customerId: usage.customerId,
    valueUsdCents: usage.amountUsdCents,
    occurredAt: usage.occurredAt,
  });
  if (await settleUsage(db, id, 'sent', now())) return 'sent';
  await payments.cancelUsage({ identifier: id });
  return 'voided';
}

/** An outage is not the fault of the row: the next ones would fail as well. */
function isUnavailable(error: unknown): boolean {
  return error instanceof PaymentsUnavailable && error.retryable;
}
