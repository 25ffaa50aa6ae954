import type { UsageSender } from '../../../activities/maintenance/send-usage.js';
import { PaymentsUnavailable } from '../../../payments/payment-gateway.js';

type Usage = Parameters<UsageSender['sendUsage']>[0];
type Cancellation = Parameters<UsageSender['cancelUsage']>[0];

/** A payment provider that counts an identifier once. A test controls its responses. */
export interface UsageProvider {
  readonly sender: UsageSender;
  readonly counted: Map<string, Usage>;
  /** Every request for a cancellation. */
  readonly cancelled: Cancellation[];
  sends: number;
  fault: ((usage: Usage) => void | Promise<void>) | undefined;
  cancelFault: (() => void) | undefined;
  loseResponses: boolean;
  /** Ends all faults and forgets all usage. */
  reset(): void;
}

export function createUsageProvider(): UsageProvider {
  const gone = new Set<string>();
  const provider: UsageProvider = {
    sender: {
      async sendUsage(usage) {
        provider.sends++;
        await provider.fault?.(usage);
        provider.counted.set(usage.identifier, usage);
        if (provider.loseResponses) throw unavailable();
      },
      async cancelUsage(cancellation) {
        provider.cancelled.push(cancellation);
        provider.cancelFault?.();
        const { identifier } = cancellation;
        // Stripe knows only what it has received.
        if (!provider.counted.delete(identifier) && !gone.has(identifier)) throw refused();
        gone.add(identifier);
      },
      readUsage: async range => countedDays(provider.counted, range),
    },
    counted: new Map(),
    cancelled: [],
    sends: 0,
    fault: undefined,
    cancelFault: undefined,
    loseResponses: false,
    reset: () => {
      Object.assign(provider, { sends: 0, fault: undefined, cancelFault: undefined, loseResponses: false });
      provider.cancelled.length = 0;
      provider.counted.clear();
    },
  };
  return provider;
}

const dayMs = 24 * 3_600_000;

function countedDays(
  counted: ReadonlyMap<string, Usage>,
  { customerId, from, to }: Parameters<UsageSender['readUsage']>[0],
) {
  const days = new Map<number, number>();
  for (const usage of counted.values()) {
    if (usage.customerId !== customerId || usage.occurredAt < from || usage.occurredAt >= to) continue;
    const day = Math.floor(usage.occurredAt.getTime() / dayMs) * dayMs;
    days.set(day, (days.get(day) ?? 0) + usage.valueUsdCents);
  }
  return [...days].map(([day, usdCents]) => ({ from: new Date(day), usdCents }));
}

export const unavailable = () => new PaymentsUnavailable('Stripe: no answer', { retryable: true });
export const failing = () => new PaymentsUnavailable('Stripe: 500', { retryable: true, status: 500 });
export const refused = () => new PaymentsUnavailable('Stripe: 400', { retryable: false, status: 400 });
export const wrongKey = () => new PaymentsUnavailable('Stripe: 401', { retryable: false, status: 401 });
export const throttled = () =>
  new PaymentsUnavailable('Stripe: 429', { retryable: true, status: 429, retryAfterSeconds: 1 });
