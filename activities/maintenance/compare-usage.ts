import type { Logger } from 'pino';
import { type ExpectedDay, listExpectedUsage } from '../../db/billing/usage-comparison.js';
import type { Db } from '../../db/database.js';
import { type PaymentGateway, PaymentsUnavailable } from '../../payments/payment-gateway.js';
import { usageAcceptedDays, usageCountedWithinHours } from '../../purchase/limits.js';
import { inLanes } from './outbox-lanes.js';

export interface CompareDependencies {
  readonly db: Db;
  /** Null when payments are not configured: there is nothing to compare with. */
  readonly payments: Pick<PaymentGateway, 'readUsage'> | null;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'error'>;
}

export interface UsageComparison {
  /** Customers whose usage was compared. */
  readonly compared: number;
  /** One sentence for each difference; only the first ones when there are many. */
  readonly differences: readonly string[];
  readonly differing: number;
  /** The customer to continue after; null at the end. */
  readonly next: string | null;
}

const customersPerPageMax = 200;
/** Two calls of 100 ms each are 20 a second. Stripe accepts 25 in a sandbox. */
const lanes = 2;
/** The history has the first sentences of a page only; the log has all of them. */
const sentencesInHistoryMax = 20;
const dayMs = 24 * 3_600_000;

/**
 * Compares one page of customers: the usage of each UTC day since the oldest usage that Stripe accepts, with what
 * Stripe has counted for it. The last hours are left out, because Stripe counts with a delay. Corrects nothing.
 * @throws PaymentsUnavailable while Stripe does not answer
 */
export async function compareUsage(
  deps: CompareDependencies,
  after: string | null,
): Promise<UsageComparison> {
  const { db, payments, now, log } = deps;
  if (payments === null) return { compared: 0, differences: [], differing: 0, next: null };
  const range = comparedRange(now());
  const expected = await listExpectedUsage(db, range, { after, customersMax: customersPerPageMax });
  const customers = byCustomer(expected);
  const differences: string[] = [];
  const queues = customers.map(days => [days]);
  await inLanes(queues, { isOver: () => false, lanes: () => lanes, waitMs: () => 0 }, async days => {
    differences.push(...(await differencesOf(payments, range, days)));
  });
  for (const difference of differences) log.error({ audit: 'usage_differs' }, difference);
  return {
    compared: customers.length,
    differences: differences.slice(0, sentencesInHistoryMax),
    differing: differences.length,
    next: customers.length < customersPerPageMax ? null : (expected.at(-1)?.customerId ?? null),
  };
}

function comparedRange(now: Date) {
  const counted = now.getTime() - usageCountedWithinHours * 3_600_000;
  const to = new Date(Math.floor(counted / dayMs) * dayMs);
  return { from: new Date(to.getTime() - usageAcceptedDays * dayMs), to, now };
}

/** The days of each customer; the rows come in order of the customers. */
function byCustomer(rows: readonly ExpectedDay[]): readonly (readonly ExpectedDay[])[] {
  const customers = new Map<string, ExpectedDay[]>();
  for (const row of rows) customers.set(row.customerId, [...(customers.get(row.customerId) ?? []), row]);
  return [...customers.values()];
}

async function differencesOf(
  payments: Pick<PaymentGateway, 'readUsage'>,
  range: { readonly from: Date; readonly to: Date },
  days: readonly ExpectedDay[],
): Promise<string[]> {
  const [first] = days;
  if (first === undefined) return [];
  const { accountId, customerId } = first;
  const counted = await readDays(payments, { ...range, customerId });
  if (counted === 'refused') {
    return [`account ${accountId}: Stripe does not report the usage of its customer ${customerId}`];
  }
  const expected = new Map(days.map(day => [day.day.getTime(), day]));
  return [...new Set([...expected.keys(), ...counted.keys()])]
    .toSorted((a, b) => a - b)
    .flatMap(day => {
      const { certainUsdCents = 0, possibleUsdCents = 0 } = expected.get(day) ?? {};
      const usdCents = counted.get(day) ?? 0;
      const most = certainUsdCents + possibleUsdCents;
      if (usdCents >= certainUsdCents && usdCents <= most) return [];
      const limits = possibleUsdCents === 0 ? usd(most) : `${usd(certainUsdCents)} to ${usd(most)}`;
      const date = new Date(day).toISOString().slice(0, 10);
      return [
        `account ${accountId} used ${limits} on ${date}, but Stripe has counted ${usd(usdCents)} for customer ${customerId}`,
      ];
    });
}

async function readDays(
  payments: Pick<PaymentGateway, 'readUsage'>,
  range: { readonly from: Date; readonly to: Date; readonly customerId: string },
): Promise<ReadonlyMap<number, number> | 'refused'> {
  try {
    const days = await payments.readUsage({ ...range, byDay: true });
    return new Map(days.map(({ from, usdCents }) => [from.getTime(), usdCents]));
  } catch (error) {
    if (error instanceof PaymentsUnavailable && (error.status === 400 || error.status === 404))
      return 'refused';
    throw error;
  }
}

function usd(cents: number): string {
  return `${(cents / 100).toFixed(2)} USD`;
}
