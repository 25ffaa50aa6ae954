import { type Db, isDatabaseUnavailable } from '../db/database.js';
import { purchaseReport } from '../db/purchases/purchases.js';
import { settleOrWithdraw } from '../db/purchases/refunds.js';
import { CommitUnknown } from '../db/transaction.js';
import type { CeilingNotice, SalesPolicy } from '../purchase/house-ceilings.js';
import type {
  AllowedOutcome,
  PurchaseAnswer,
  PurchaseOutcome,
  PurchaseRequest,
} from '../purchase/purchase.js';

export interface ExistingDependencies {
  readonly db: Db;
  readonly simulated: boolean;
  readonly policy: SalesPolicy;
  readonly now: () => Date;
  readonly onCeiling: (notice: CeilingNotice) => void;
  readonly onError: (error: unknown, what: string) => void;
}

/**
 * Answers a purchase without starting a run: with a report that the caller owns, a cached one, or a refusal. The answer
 * is final, also when the response to the sale's COMMIT is lost.
 * @param allowed `owned` when not even a cached report may be charged for
 */
export async function purchaseExisting(
  dependencies: ExistingDependencies,
  request: PurchaseRequest,
  allowed: Exclude<AllowedOutcome, 'fresh'> = 'existing',
): Promise<PurchaseOutcome> {
  const { db, simulated, policy, now, onCeiling, onError } = dependencies;
  try {
    const context = { now: now(), simulated, policy, onCeiling, ...noRun };
    return await purchaseReport(db, request, context, allowed);
  } catch (error) {
    // No COMMIT was sent: nothing was charged, and nothing will be.
    if (!(error instanceof CommitUnknown)) throw error;
    onError(error, 'the response to a sale was lost; settling it in the database');
    return settlePurchase(dependencies, request);
  }
}

/** Never stored: an existing report has these already. */
const noRun = { eventTitle: '', workflowId: '', seed: '' };

/**
 * The final answer to a purchase whose response was lost: its receipt if it was charged; otherwise the refusal
 * `unavailable`, after which no late attempt can charge.
 * @throws OutcomeUnknown when the database is down
 */
export async function settlePurchase(
  { db, now, onError }: Pick<ExistingDependencies, 'db' | 'now' | 'onError'>,
  { purchaseId, accountId }: Pick<PurchaseRequest, 'purchaseId' | 'accountId'>,
): Promise<PurchaseAnswer> {
  try {
    return await settleOrWithdraw(db, { purchaseId, accountId, now: now() });
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    onError(error, 'the outcome of a purchase could not be determined');
    throw new OutcomeUnknown({ cause: error });
  }
}

/** Whether a purchase was charged could not be determined. It does not say that nothing was charged. */
export class OutcomeUnknown extends Error {
  /** The pool opens new connections within this time once the database is back. */
  readonly retryAfterSeconds = 5;

  constructor(options: ErrorOptions) {
    super(
      'The outcome of the purchase could not be determined. Send the request again: if the report was bought, it is yours and costs nothing more.',
      options,
    );
    this.name = 'OutcomeUnknown';
  }
}
