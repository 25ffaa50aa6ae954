import { z } from 'zod';
import { packIds } from '../council/purchase/billing.js';
import { pagingParameters } from './parameters.js';
import { count, credits, list, page, pool, reportId, timestamp } from './parts.js';

export const ledgerParameters = z.object(pagingParameters);

export const balanceShape = z.object({
  balance_credits: credits.describe('Purchased credits.'),
  weekly_grant: z
    .object({
      available: z.boolean(),
      worth_credits: credits.describe('The price of a fresh report now.'),
      resets_at: timestamp.describe('The next Monday, 00:00 UTC.'),
    })
    .describe('One fresh report a week for nothing.'),
});

export const ledgerEntryShape = z.object({
  id: count,
  at: timestamp,
  kind: z.enum(['purchase', 'grant', 'charge', 'refund', 'adjustment']),
  pool,
  amount_credits: credits.describe('Below 0 where credits were taken.'),
  balance_after: credits.describe('Of the pool.'),
  report_id: reportId.nullable(),
  api_key_id: z
    .string()
    .nullable()
    .describe('The key that asked for it; null for a session, and where nobody asked.'),
});

export const ledgerShape = z.object({ entries: list(ledgerEntryShape), ...page, total: count });

export const packShape = z.object({
  id: z.enum(packIds),
  credits,
  price_usd_cents: count.describe('US cents.'),
});
export const packListShape = z.object({ packs: list(packShape) });

export type BalanceView = z.infer<typeof balanceShape>;
export type LedgerEntryView = z.infer<typeof ledgerEntryShape>;
export type PackView = z.infer<typeof packShape>;
