import { z } from 'zod';
import { packIds } from '../purchase/billing.js';
import type { Operation } from './operation.js';
import { pagingParameters } from './parameters.js';
import { count, creditPool, credits, list, owedCredits, page, reportId, timestamp } from './parts.js';
import { pricingShape } from './purchase.js';

const ledgerParameters = z.object(pagingParameters);

export const balanceShape = z
  .object({
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
  })
  .meta({ id: 'Balance' });

export const ledgerEntryShape = z
  .object({
    id: count,
    at: timestamp,
    kind: z.enum(['purchase', 'grant', 'charge', 'refund', 'adjustment']),
    pool: creditPool,
    amount_credits: credits.describe('Negative if credits were deducted.'),
    balance_after: credits.describe('Balance of the pool after this entry.'),
    report_id: reportId.nullable(),
    api_key_id: z
      .string()
      .nullable()
      .describe('The API key of the request; null for a session, and for entries that no request caused.'),
  })
  .meta({ id: 'LedgerEntry' });

const ledgerShape = z
  .object({ entries: list(ledgerEntryShape), ...page, total: count })
  .meta({ id: 'Ledger' });

export const packId = z.enum(packIds).meta({ id: 'PackId' });

export const packShape = z
  .object({
    id: packId,
    credits,
    price_usd_cents: count.describe('Price in US cents.'),
  })
  .meta({ id: 'Pack' });
const packListShape = z.object({ packs: list(packShape) }).meta({ id: 'PackList' });

export type BalanceView = z.infer<typeof balanceShape>;
export type LedgerEntryView = z.infer<typeof ledgerEntryShape>;
export type PackView = z.infer<typeof packShape>;

export const creditOperations = {
  getPricing: {
    method: 'get',
    path: '/api/credits/pricing',
    tag: 'Credits',
    access: 'public',
    summary: 'Read the prices',
    description:
      'Returns the current prices of reports. The price of a fresh report follows the actual cost of runs, in small steps between a minimum and a maximum, by at most 10 % within an hour.',
    answers: {
      200: {
        description: 'The current prices.',
        schema: pricingShape,
        examples: { now: 'A fresh report for 120 credits' },
      },
    },
    problems: ['unavailable'],
  },
  listPacks: {
    method: 'get',
    path: '/api/credits/packs',
    tag: 'Credits',
    access: 'public',
    summary: 'List credit packs',
    description: 'Returns the credit packs and their prices. Larger packs cost less per credit.',
    answers: { 200: { description: 'Every pack.', schema: packListShape, examples: { all: 'All packs' } } },
  },
  getBalance: {
    method: 'get',
    path: '/api/credits/balance',
    tag: 'Credits',
    access: 'anyone',
    summary: 'Read your balance',
    description: 'Returns the purchased credits and whether the free report of this week is still available.',
    answers: {
      200: {
        description: 'The current balance.',
        schema: balanceShape,
        examples: { some: 'Credits, weekly grant used' },
      },
    },
  },
  listLedger: {
    method: 'get',
    path: '/api/credits/ledger',
    tag: 'Credits',
    access: 'anyone',
    summary: 'List ledger entries',
    description:
      'Returns every purchase, grant, charge, refund and adjustment, newest first, with its report and API key. Entries are never changed or deleted.',
    query: ledgerParameters,
    examples: { page: 1, per_page: 20 },
    answers: {
      200: {
        description: 'One page of entries.',
        schema: ledgerShape,
        examples: { two: 'A grant and the charge for a report' },
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
