import { type Books, groupBy, type PurchaseRow, type ReportRow } from './books.js';
import { type Journal, kindOf, type PurchaseAttempt, type Receipt } from './journal.js';

/**
 * Compares responses with the database: a caller with a receipt has a report that has ended and a purchase
 * that matches the receipt, charged if the report is complete and refunded if it failed; a caller that was
 * refused was not charged.
 */
export function checkAnswers({ attempts, observed }: Journal, { purchases, reports }: Books): string[] {
  const reportById = new Map(reports.map(report => [report.id, report]));
  const purchasesOf = groupBy(purchases, ({ accountId, reportId }) => `${accountId} ${reportId}`);
  const faults: string[] = [];
  for (const attempt of attempts) {
    if (attempt.outcome.kind !== 'receipt') continue;
    const { receipt, status } = attempt.outcome;
    const { accountId } = attempt.customer;
    const report = reportById.get(receipt.report_id);
    const bought = purchasesOf.get(`${accountId} ${receipt.report_id}`) ?? [];
    const fault = faultOfReceipt(attempt, { ...receipt, kind: kindOf(status, receipt) }, report, bought);
    if (fault !== null) faults.push(`${nameOf(attempt)}: report ${receipt.report_id} ${fault}`);
  }
  for (const { reportId, status } of observed) {
    const now = reportById.get(reportId)?.status;
    const hadEnded = status === 'completed' || status === 'failed';
    if (hadEnded && now !== status) faults.push(`report ${reportId} was seen ${status}, and is ${now}`);
  }
  return [...faults, ...repeatedKeys(attempts), ...unexplained(attempts, purchases, reportById)];
}

function faultOfReceipt(
  { eventId }: PurchaseAttempt,
  receipt: Receipt & { kind: ReturnType<typeof kindOf> },
  report: ReportRow | undefined,
  bought: readonly PurchaseRow[],
): string | null {
  if (report === undefined) return 'is lost';
  if (report.eventId !== eventId) return `is about ${report.eventId}`;
  if (report.status !== 'completed' && report.status !== 'failed') return `is still ${report.status}`;
  const kinds = bought.map(({ kind }) => kind);
  const [purchase] = bought;
  if (purchase === undefined) return 'was never bought by the caller';
  if (bought.length > 1) return `was bought by the caller ${bought.length} times (${kinds.join(', ')})`;
  const wanted = report.status === 'completed' ? 'charged' : 'refunded';
  if (purchase.state !== wanted) return `is ${report.status}, its purchase ${purchase.state}`;
  if (receipt.kind === 'owned') return receipt.credits_spent === 0 ? null : 'is owned, and was charged for';
  if (purchase.kind !== receipt.kind)
    return `was bought ${purchase.kind}, but the receipt says ${receipt.kind}`;
  if (purchase.credits !== receipt.credits_spent) {
    return `cost ${receipt.credits_spent} by its receipt, and took ${purchase.credits}`;
  }
  return purchase.pool === receipt.pool ? null : `was paid from ${receipt.pool} by its receipt`;
}

/** Requests with the same idempotency key and event must have the same receipt. */
function repeatedKeys(attempts: readonly PurchaseAttempt[]): string[] {
  const keyed = attempts.filter(({ idempotencyKey }) => idempotencyKey !== null);
  const groups = groupBy(
    keyed,
    ({ customer, idempotencyKey, eventId }) => `${customer.accountId} ${idempotencyKey} ${eventId}`,
  );
  return [...groups.values()].flatMap(group => {
    const receipts = group.flatMap(({ outcome }) =>
      outcome.kind === 'receipt'
        ? [`report ${outcome.receipt.report_id} for ${outcome.receipt.credits_spent}`]
        : [],
    );
    const different = [...new Set(receipts)];
    return different.length > 1 ? [`one Idempotency-Key received ${different.join(', and ')}`] : [];
  });
}

/**
 * Every purchase must have been reported to its caller, or its response must have been lost. Those of rows of batches are
 * reported to nobody.
 */
function unexplained(
  attempts: readonly PurchaseAttempt[],
  purchases: readonly PurchaseRow[],
  reportById: ReadonlyMap<number, ReportRow>,
): string[] {
  const byEvent = groupBy(attempts, ({ customer, eventId }) => `${customer.accountId} ${eventId}`);
  return purchases.flatMap(purchase => {
    const report = purchase.reportId === null ? undefined : reportById.get(purchase.reportId);
    if (purchase.state === 'void' || report === undefined || purchase.batchId !== null) return [];
    const group = byEvent.get(`${purchase.accountId} ${report.eventId}`) ?? [];
    const isReported = group.some(attempt => explains(attempt, purchase));
    if (isReported) return [];
    const outcome = group.map(({ outcome: one }) =>
      one.kind === 'refusal' ? `${one.status} ${one.code}` : one.kind,
    );
    return [
      `purchase ${purchase.id} (${purchase.kind} report ${report.id}, ${purchase.credits} credits, ${purchase.lane}, ${purchase.state}) was reported to nobody: ${outcome.join(', ')}`,
    ];
  });
}

function explains({ outcome, sentAt }: PurchaseAttempt, purchase: PurchaseRow): boolean {
  const wasBefore = sentAt <= purchase.committedAt;
  if (outcome.kind === 'silence') return wasBefore;
  // "Nothing was charged" also holds when the whole charge was refunded.
  if (outcome.kind === 'refusal') return wasBefore && purchase.state === 'refunded';
  const { receipt, status } = outcome;
  return (
    receipt.report_id === purchase.reportId &&
    kindOf(status, receipt) === purchase.kind &&
    receipt.credits_spent === purchase.credits
  );
}

function nameOf({ customer, eventId, idempotencyKey, sentAt }: PurchaseAttempt): string {
  const key = idempotencyKey === null ? 'no key' : `key ${idempotencyKey}`;
  return `${customer.accountId} asked for ${eventId} (${key}, ${new Date(sentAt).toISOString()})`;
}
