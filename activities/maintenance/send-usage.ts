import { usageFate } from '../../council/purchase/billing.js';
import { listPendingUsage, noteUsageTried, type PendingUsage, settleUsage } from '../../db/billing/usage.js';
import { PaymentsUnavailable } from '../../payments/payment-gateway.js';
import type { MaintenanceDependencies, UsageRound, UsageSender } from './maintenance-activities.js';

/** So many that a round ends before the next one is due. */
const rowsPerRoundMax = 100;
/** So many refusals without one success are no row's own fault: a wrong secret, or an account that was closed. */
const refusalsInARowMax = 10;

/**
 * One round of the outbox: sends usage, oldest first. Nothing is locked while the wire is waited for, and still no
 * usage is billed twice: the schedule begins no round before the last has ended, and where an attempt was given up
 * for dead and still runs, both send the identifier of the row, which counts once within 24 hours. The first try is
 * noted BEFORE sending, so that an answer that is lost is asked for again within those hours and never after them.
 * Usage that is voided meanwhile is not sent, or is cancelled by whichever of the two comes second.
 */
export async function sendUsage(deps: MaintenanceDependencies): Promise<UsageRound> {
  const round = { sent: 0, held: 0, voided: 0, troubled: 0 };
  if (deps.payments === null) return { ...round, reached: false };
  let refusalsInARow = 0;
  for (const usage of await listPendingUsage(deps.db, rowsPerRoundMax)) {
    try {
      round[await settle(deps, deps.payments, usage)]++;
      refusalsInARow = 0;
    } catch (err) {
      deps.log.warn({ err, usage: usage.id }, 'usage was not sent; the next round tries again');
      round.troubled++;
      refusalsInARow++;
      if (isAway(err) || refusalsInARow === refusalsInARowMax) return { ...round, reached: false };
    }
  }
  return { ...round, reached: true };
}

async function settle(
  { db, now, log }: MaintenanceDependencies,
  payments: UsageSender,
  usage: PendingUsage,
): Promise<'sent' | 'held' | 'voided'> {
  const { id } = usage;
  if (usageFate(usage, now()) === 'hold') {
    if (!(await settleUsage(db, id, 'held', now()))) return 'voided';
    log.error({ usage: id }, 'usage is held for a person: nobody knows whether it was counted');
    return 'held';
  }
  if (!(await noteUsageTried(db, id, now()))) return 'voided';
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

/** That nobody answers is no row's fault: whatever comes next would fare the same. */
function isAway(error: unknown): boolean {
  return error instanceof PaymentsUnavailable && error.retryable;
}
