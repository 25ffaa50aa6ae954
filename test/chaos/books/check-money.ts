import type { Customer } from '../load/customers.js';
import type { Books, PurchaseRow } from './books.js';

/**
 * Every purchase took its price or nothing; no account paid twice for one event and day; each balance is the
 * initial balance less what was paid; subscriptions are metered for what they received. Calculated from the
 * rows, without the service's code.
 */
export function checkMoney(customers: readonly Customer[], books: Books): string[] {
  return [...netOfPurchases(books), ...paidTwice(books), ...held(customers, books), ...metered(books)];
}

function netOfPurchases({ purchases, moved }: Books): string[] {
  const takenBy = new Map<number, number>();
  for (const { transferId, credits } of moved) {
    takenBy.set(transferId, (takenBy.get(transferId) ?? 0) - credits);
  }
  const taken = (transferId: number | null) => (transferId === null ? 0 : (takenBy.get(transferId) ?? 0));
  return purchases.flatMap(purchase => {
    const net = taken(purchase.chargeId) + taken(purchase.refundId);
    const wanted = purchase.state === 'charged' && purchase.pool !== null ? purchase.credits : 0;
    return net === wanted ? [] : [`purchase ${purchase.id} (${purchase.state}) took ${net}, not ${wanted}`];
  });
}

function paidTwice({ purchases, reports }: Books): string[] {
  const reportById = new Map(reports.map(report => [report.id, report]));
  const paid = new Map<string, PurchaseRow>();
  return purchases.flatMap(purchase => {
    const report = reportById.get(purchase.reportId ?? 0);
    if (purchase.state !== 'charged' || report === undefined) return [];
    const name = `${purchase.accountId} ${report.eventId} ${report.utcDay}`;
    const before = paid.get(name);
    paid.set(name, purchase);
    if (before === undefined) return [];
    return [`${purchase.accountId} paid twice for ${report.eventId}: purchases ${before.id}, ${purchase.id}`];
  });
}

function held(customers: readonly Customer[], { purchases, moved }: Books): string[] {
  const balances = new Map<string, number>();
  for (const { accountId, pool, credits } of moved) {
    if (accountId === null || pool !== 'purchased') continue;
    balances.set(accountId, (balances.get(accountId) ?? 0) + credits);
  }
  const spent = new Map<string, number>();
  for (const { accountId, state, pool, credits } of purchases) {
    if (state !== 'charged' || pool !== 'purchased') continue;
    spent.set(accountId, (spent.get(accountId) ?? 0) + (credits ?? 0));
  }
  return customers.flatMap(({ accountId, credits }) => {
    const wanted = credits - (spent.get(accountId) ?? 0);
    const has = balances.get(accountId) ?? 0;
    return has === wanted ? [] : [`account ${accountId} holds ${has} credits, and should hold ${wanted}`];
  });
}

function metered({ purchases, metered: usage }: Books): string[] {
  return purchases
    .filter(({ id, lane, state }) => (lane === 'subscription' && state === 'charged') !== usage.has(id))
    .map(
      ({ id, lane, state }) => `purchase ${id} (${lane}, ${state}) is ${usage.has(id) ? '' : 'not '}metered`,
    );
}
