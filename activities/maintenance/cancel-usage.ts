import type { Logger } from 'pino';
import { listDueCancellations, recordCancellation } from '../../db/billing/usage-corrections.js';
import type { Db } from '../../db/database.js';
import type { PaymentGateway } from '../../payments/payment-gateway.js';
import { tryCancellation } from '../../payments/try-cancellation.js';

interface CancelDependencies {
  readonly db: Db;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Only operators void usage, so there are few. */
const cancellationsPerRoundMax = 50;

/**
 * Cancels voided usage at the provider, until it confirms. It may not know an event yet that it has just accepted, and
 * a cancellation may fail in an outage, so each one is tried for a day.
 * @returns how many were confirmed
 */
export async function cancelDueUsage(
  { db, now, log }: CancelDependencies,
  payments: Pick<PaymentGateway, 'cancelUsage'>,
): Promise<number> {
  let cancelled = 0;
  for (const due of await listDueCancellations(db, now(), cancellationsPerRoundMax)) {
    const done = await tryCancellation(payments, { identifier: due.id, series: due.series });
    const state = await recordCancellation(db, due, { ...done, now: now() });
    if (done.confirmed) {
      cancelled++;
      continue;
    }
    const { reason } = done;
    if (state === 'expired') log.error({ usage: due.id, reason }, 'voided usage was not cancelled in time');
    else log.warn({ usage: due.id, reason }, 'voided usage was not cancelled; it is tried again later');
    if (done.retryable) return cancelled;
  }
  return cancelled;
}
