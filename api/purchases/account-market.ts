import { AccountBudgetSpent } from '../../markets/event-source.js';
import type { MarketReader } from '../../markets/market-reader.js';
import {
  marketChecksPerMinutePerAccount,
  marketLookupsPerMinutePerAccount,
  requestWindowSeconds,
} from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import type { CountKey } from '../throttling/count-key.js';

/** The market as an account may read it: within a small budget of its own, over all API processes. */
export type MarketOf = (accountId: string) => MarketReader;

/** Keeps one free account from using up what all price checks share, with names that it makes up. */
export function createAccountMarkets(
  { markets, counts, metrics }: Pick<ApiContext, 'markets' | 'counts' | 'metrics'>,
  countKey: CountKey,
): MarketOf {
  return accountId => ({
    ...markets,
    find: (idOrSlug, purpose) =>
      markets.find(idOrSlug, purpose, async () => {
        if (purpose === 'browse') return;
        const key = countKey(`market-${purpose}`, accountId);
        const { points, msLeft } = await counts.add(key, 1, requestWindowSeconds);
        if (points <= perMinute[purpose]) return;
        metrics.throttled.inc({ limit: 'market' });
        throw new AccountBudgetSpent(Math.max(1, Math.ceil(msLeft / 1_000)));
      }),
  });
}

const perMinute = { check: marketChecksPerMinutePerAccount, purchase: marketLookupsPerMinutePerAccount };
