import type { Logger } from 'pino';
import { reopenCancellation } from '../../db/billing/usage-corrections.js';
import {
  deferUsage,
  holdUsage,
  listDueUsage,
  markUsageTried,
  type PendingUsage,
  settleSentUsage,
} from '../../db/billing/usage-sending.js';
import type { Db } from '../../db/database.js';
import { type PaymentGateway, PaymentsUnavailable } from '../../payments/payment-gateway.js';
import { usageFate, usageRetryAt } from '../../purchase/billing.js';
import { cancelDueUsage } from './cancel-usage.js';
import { inLanes } from './outbox-lanes.js';
import { type SendFailure, SendingRound } from './sending-round.js';

export interface SendDependencies {
  readonly db: Db;
  /** Null when payments are not configured: usage then waits in the outbox. */
  readonly payments: UsageSender | null;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export type UsageSender = Pick<PaymentGateway, 'sendUsage' | 'cancelUsage' | 'readUsage'>;

export interface UsageRound {
  readonly sent: number;
  readonly held: number;
  /** Voided while they were sent, and therefore cancelled. */
  readonly voided: number;
  /** Still to be sent. */
  readonly failed: number;
  /** Cancellations of voided usage that Stripe has confirmed. */
  readonly cancelled: number;
  /** False when payments are not configured or the provider is unavailable. */
  readonly reachable: boolean;
  /** The round ended because its time was over; the next one should begin at once. */
  readonly more: boolean;
}

/** Small pages, so that a customer with much usage does not delay the others. */
const page = { customersMax: 200, rowsPerCustomerMax: 20 };
/** An outage is not the fault of the row: it is tried in the next round. */
const outageRetryMs = 60_000;

/**
 * One round of the usage outbox: customers side by side, the usage of each one after the other, as Stripe requires. No
 * row is locked while it is sent, and none is billed twice: if an attempt that timed out is still running, both send
 * the ID of the row, which the provider counts once within 24 hours. Each try is stored BEFORE sending, so that a row
 * whose response was lost is sent again within those hours and never after them. A row that fails moves behind the
 * others. Usage that is voided in the meantime is not sent; if it was sent already, it is cancelled.
 */
export async function sendUsage(deps: SendDependencies): Promise<UsageRound> {
  const counts = { sent: 0, held: 0, voided: 0, failed: 0 };
  const { payments, now } = deps;
  if (payments === null) return { ...counts, cancelled: 0, reachable: false, more: false };
  const round = new SendingRound(now);
  while (!round.isOver()) {
    const due = await listDueUsage(deps.db, now(), page);
    if (due.length === 0) break;
    await inLanes(byCustomer(due), round, async usage => {
      counts[await settle(deps, payments, usage, round)]++;
    });
  }
  const { reachable } = round;
  const cancelled = reachable ? await cancelDueUsage(deps, payments) : 0;
  return { ...counts, cancelled, reachable, more: reachable && round.isOutOfTime() };
}

function byCustomer(usages: readonly PendingUsage[]): readonly (readonly PendingUsage[])[] {
  const queues = new Map<string, PendingUsage[]>();
  for (const usage of usages) {
    const queue = queues.get(usage.customerId);
    if (queue === undefined) queues.set(usage.customerId, [usage]);
    else queue.push(usage);
  }
  return [...queues.values()];
}

async function settle(
  deps: SendDependencies,
  payments: UsageSender,
  usage: PendingUsage,
  round: SendingRound,
): Promise<'sent' | 'held' | 'voided' | 'failed'> {
  const { db, now, log } = deps;
  const { id } = usage;
  if (usageFate(usage, now()) === 'hold') {
    if (!(await holdUsage(db, id, now()))) return 'voided';
    log.error({ usage: id }, 'usage is held for an operator: it is not known whether it was counted');
    return 'held';
  }
  if (!(await markUsageTried(db, id, now()))) return 'voided';
  try {
    await payments.sendUsage({
      identifier: id,
      customerId: usage.customerId,
      valueUsdCents: usage.amountUsdCents,
      occurredAt: usage.occurredAt,
    });
  } catch (err) {
    log.warn({ err, usage: id }, 'usage was not sent; it is tried again later');
    await defer(deps, usage, { failure: round.failed(err), refused: isRefused(err) });
    return 'failed';
  }
  round.succeeded();
  if (await settleSentUsage(db, id, now())) return 'sent';
  // Stored before it is tried: this round cancels it, or a later one does.
  await reopenCancellation(db, id, now());
  return 'voided';
}

async function defer(
  { db, now }: SendDependencies,
  { id, failures }: PendingUsage,
  { failure, refused }: { readonly failure: SendFailure; readonly refused: boolean },
): Promise<void> {
  switch (failure) {
    case 'throttled':
      return deferUsage(db, id, { nextTryAt: now(), failures, refused });
    case 'outage':
      return deferUsage(db, id, { nextTryAt: new Date(now().getTime() + outageRetryMs), failures, refused });
    case 'refused':
      return deferUsage(db, id, {
        nextTryAt: usageRetryAt(failures + 1, now()),
        failures: failures + 1,
        refused,
      });
  }
}

/** Whether the response says that this try was not accepted. A conflict can belong to another try that was. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof PaymentsUnavailable) || error.status === null) return false;
  return error.status >= 400 && error.status < 500 && error.status !== 409;
}
