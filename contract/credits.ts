import { z } from 'zod';
import { packIds } from '../purchase/billing.js';
import { pagingParameters } from './parameters.js';
import { count, credits, list, owedCredits, page, pool, reportId, timestamp } from './parts.js';

export const ledgerParameters = z.object(pagingParameters);

export const balanceShape = z.object({
  balance_credits: credits.describe('Balance of purchased credits.'),
  owed_credits: owedCredits,
  weekly_grant: z
    .object({
      available: z
        .boolean()
        .describe(
          'Whether it pays for the next fresh report. False once it is used, by this or another account of the same mailbox, and while credits are owed or an address has to be verified.',
        ),
      needs_verified_email: z
        .boolean()
        .describe('Whether it waits until the e-mail address of the account is verified.'),
      worth_credits: credits.describe('Current price of a fresh report.'),
      resets_at: timestamp.describe('When the next grant becomes available: next Monday, 00:00 UTC.'),
    })
    .describe('One free fresh report per week.'),
});

export const ledgerEntryShape = z.object({
  id: count,
  at: timestamp,
  kind: z.enum(['purchase', 'grant', 'charge', 'refund', 'adjustment']),
  pool,
  amount_credits: credits.describe('Negative if credits were deducted.'),
  balance_after: credits.describe('Balance of the pool after this entry.'),
  report_id: reportId.nullable(),
  api_key_id: z
    .string()
    .nullable()
    .describe('The API key of the request; null for a session, and for entries that no request caused.'),
});

export const ledgerShape = z.object({ entries: list(ledgerEntryShape), ...page, total: count });

export const packId = z.enum(packIds);

export const packShape = z.object({
  id: packId,
  credits,
  price_usd_cents: count.describe('Price in US cents.'),
});
export const packListShape = z.object({ packs: list(packShape) });

export type BalanceView = z.infer<typeof balanceShape>;
export type LedgerEntryView = z.infer<typeof ledgerEntryShape>;
export type PackView = z.infer<typeof packShape>;
