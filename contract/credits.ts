import { z } from 'zod';
import { packIds } from '../council/packs.js';
import { pagingParameters } from './parameters.js';
import { count, credits, list, page, pool, reportId, timestamp } from './parts.js';

export const ledgerParameters = z.object(pagingParameters);

export const balanceShape = z.object({
  balance_credits: credits,
  weekly_grant: z.object({ available: z.boolean(), worth_credits: credits, resets_at: timestamp }),
});

export const ledgerEntryShape = z.object({
  id: count,
  at: timestamp,
  kind: z.enum(['purchase', 'grant', 'charge', 'refund', 'adjustment']),
  pool,
  amount_credits: credits,
  balance_after: credits,
  report_id: reportId.nullable(),
  api_key_id: z.string().nullable(),
});

export const ledgerShape = z.object({ entries: list(ledgerEntryShape), ...page, total: count });

export const packShape = z.object({ id: z.enum(packIds), credits, price_usd_cents: count });
export const packListShape = z.object({ packs: list(packShape) });

export type BalanceView = z.infer<typeof balanceShape>;
export type LedgerEntryView = z.infer<typeof ledgerEntryShape>;
export type PackView = z.infer<typeof packShape>;
