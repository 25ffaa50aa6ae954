import type { Books, PurchaseRow, ReportRow } from './books.js';
import { type Diary, kindOf, type Receipt, type Wish } from './diary.js';

/**
 * What callers were told against the books: whoever got a receipt has a report that has ended and a purchase as the receipt says,
 * charged where there is a report and refunded where there is none; whoever was told no was not charged.
 */
export function checkAnswers({ wishes, sightings }: Diary, { purchases, reports }: Books): string[] {
  const reportById = new Map(reports.map(report => [report.id, report]));
  const purchasesOf = groupBy(purchases, ({ accountId, reportId }) => `${accountId} ${reportId}`);
  const faults: string[] = [];
  for (const wish of wishes) {
    if (wish.told.kind !== 'receipt') continue;
    const { receipt, status } = wish.told;
    const { accountId } = wish.customer;
    const report = reportById.get(receipt.report_id);
    const bought = purchasesOf.get(`${accountId} ${receipt.report_id}`) ?? [];
    const fault = faultOfReceipt(wish, { ...receipt, kind: kindOf(status, receipt) }, report, bought);
    if (fault !== null) faults.push(`${nameOf(wish)}: report ${receipt.report_id} ${fault}`);
  }
  for (const { reportId, status } of sightings) {
    const now = reportById.get(reportId)?.status;
    const hadEnded = status === 'completed' || status === 'failed';
    if (hadEnded && now !== status) faults.push(`report ${reportId} was seen ${status}, and is ${now}`);
  }
  return [...faults, ...repeatedKeys(wishes), ...unexplained(wishes, purchases, reportById)];
}

function faultOfReceipt(
  { eventId }: Wish,
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
  if (purchase.kind !== receipt.kind) return `was bought ${purchase.kind}, and told to be ${receipt.kind}`;
  if (purchase.credits !== receipt.credits_spent) {
    return `was told to cost ${receipt.credits_spent}, and took ${purchase.credits}`;
  }
  return purchase.pool === receipt.pool ? null : `was told to be paid from ${receipt.pool}`;
}

/** The same key, the same wish: the same receipt. */
function repeatedKeys(wishes: readonly Wish[]): string[] {
  const keyed = wishes.filter(({ idempotencyKey }) => idempotencyKey !== null);
  const groups = groupBy(
    keyed,
    ({ customer, idempotencyKey, eventId }) => `${customer.accountId} ${idempotencyKey} ${eventId}`,
  );
  return [...groups.values()].flatMap(group => {
    const receipts = group.flatMap(({ told }) =>
      told.kind === 'receipt' ? [`report ${told.receipt.report_id} for ${told.receipt.credits_spent}`] : [],
    );
    const different = [...new Set(receipts)];
    return different.length > 1 ? [`one Idempotency-Key was told ${different.join(', and ')}`] : [];
  });
}

/** A purchase must be one that somebody was told of, or whose answer nobody heard. */
function unexplained(
  wishes: readonly Wish[],
  purchases: readonly PurchaseRow[],
  reportById: ReadonlyMap<number, ReportRow>,
): string[] {
  const asked = groupBy(wishes, ({ customer, eventId }) => `${customer.accountId} ${eventId}`);
  return purchases.flatMap(purchase => {
    const report = purchase.reportId === null ? undefined : reportById.get(purchase.reportId);
    if (purchase.state === 'void' || report === undefined) return [];
    const group = asked.get(`${purchase.accountId} ${report.eventId}`) ?? [];
    const heard = group.some(wish => explains(wish, purchase));
    if (heard) return [];
    const told = group.map(({ told: one }) =>
      one.kind === 'refusal' ? `${one.status} ${one.code}` : one.kind,
    );
    return [
      `purchase ${purchase.id} (${purchase.kind} report ${report.id}, ${purchase.credits} credits, ${purchase.lane}, ${purchase.state}) was told to nobody: ${told.join(', ')}`,
    ];
  });
}

function explains({ told, sentAt }: Wish, purchase: PurchaseRow): boolean {
  const wasBefore = sentAt <= purchase.createdAt.getTime();
  if (told.kind === 'silence') return wasBefore;
  // "Nothing was charged" is true as well where what was charged has been given back, whole.
  if (told.kind === 'refusal')
    return wasBefore && (told.code === 'internal' || purchase.state === 'refunded');
  const { receipt, status } = told;
  return (
    receipt.report_id === purchase.reportId &&
    kindOf(status, receipt) === purchase.kind &&
    receipt.credits_spent === purchase.credits
  );
}

function nameOf({ customer, eventId, idempotencyKey, sentAt }: Wish): string {
  const key = idempotencyKey === null ? 'no key' : `key ${idempotencyKey}`;
  return `${customer.accountId} asked for ${eventId} (${key}, ${new Date(sentAt).toISOString()})`;
}

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group === undefined) groups.set(nameOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
