import { type Db, isDatabaseUnavailable } from '../../db/database.js';
import { settleOrWithdraw } from '../../db/purchases/refunds.js';
import type { PurchaseAnswer, PurchaseRequest } from '../../purchase/purchase.js';
import { Problem } from '../http/problem.js';

export interface SettleDependencies {
  readonly db: Db;
  readonly now: () => Date;
  readonly onError: (error: unknown, what: string) => void;
}

/**
 * The final answer to a purchase whose response was lost: its receipt if it was charged; otherwise the refusal
 * `unavailable`, after which no late attempt can charge.
 * @throws Problem `unavailable` with `outcome: unknown` when the database is down. It does not say that nothing was
 * charged.
 */
export async function settlePurchase(
  { db, now, onError }: SettleDependencies,
  { purchaseId, accountId }: Pick<PurchaseRequest, 'purchaseId' | 'accountId'>,
): Promise<PurchaseAnswer> {
  try {
    return await settleOrWithdraw(db, { purchaseId, accountId, now: now() });
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    onError(error, 'the outcome of a purchase could not be determined');
    throw new Problem('unavailable', outcomeUnknown, {
      data: { outcome: 'unknown' },
      retryAfterSeconds: outcomeUnknownRetrySeconds,
    });
  }
}

/** The pool opens new connections within this time once the database is back. */
const outcomeUnknownRetrySeconds = 5;

const outcomeUnknown =
  'The outcome of the purchase could not be determined. Send the request again: if the report was bought, it is yours and costs nothing more.';
