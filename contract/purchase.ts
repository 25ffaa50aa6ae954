import { z } from 'zod';
import { quotedCreditsMax, quotedUsdCentsMax } from '../purchase/limits.js';
import { eventParameters } from './events.js';
import type { Operation } from './operation.js';
import { idempotencyHeader, laneParameter, minMembersField, minMembersParameter } from './parameters.js';
import { count, creditPool, credits, lane, reportId, reportStatus, text } from './parts.js';
import { recordEntryShape } from './record-chain.js';

/** Body of `POST /api/reports`. */
export const purchaseRequestSchema = z
  .strictObject({
    event_id: text(200)
      .min(1, 'must not be empty')
      .describe('Identifier of the event, or its slug at the market platform.'),
    quoted_credits: z
      .int()
      .min(0)
      .max(quotedCreditsMax)
      .optional()
      .describe(
        'The price that you were quoted. If the current price is within 15 % of it, you are charged the lower of the two; otherwise the request fails with `quote_expired`. Without a quote, you are charged the current price.',
      ),
    quoted_usd_cents: z
      .int()
      .min(0)
      .max(quotedUsdCentsMax)
      .optional()
      .describe(
        'The price on the lane `subscription` that you were quoted, in US cents. A lower price is billed as it is; for a higher one the request fails with `quote_expired`. Other lanes bill no dollars and ignore it.',
      ),
    quoted_pool: creditPool
      .optional()
      .describe(
        'The pool that the price check named. With `weekly_grant`, the request fails with `quote_expired` if purchased credits would pay instead. With `purchased`, purchased credits also pay on a day on which the service gives no more free reports.',
      ),
    lane: laneParameter,
    min_members: minMembersField,
  })
  .meta({ id: 'Purchase' });

export const receiptShape = z
  .object({
    report_id: reportId,
    status: reportStatus,
    cached: z
      .boolean()
      .describe('True if the report already existed, because another account bought it on the same UTC day.'),
    credits_spent: credits.describe('0 for a report that you already own and on the subscription lane.'),
    price_usd_cents: count
      .optional()
      .describe(
        'On the lane `subscription`: what is billed when the report is completed, in US cents. 0 for a report that you already own.',
      ),
    lane,
    pool: creditPool.nullable().describe('The credits that were charged; null on the subscription lane.'),
  })
  .meta({ id: 'Receipt' });

const checkParameters = z.object({ lane: laneParameter, min_members: minMembersParameter });

export const pricingShape = z
  .object({
    fresh_credits: credits.describe(
      'Current price of a fresh report. It follows the actual cost of runs, so do not hard-code it.',
    ),
    cached_credits: credits.describe(
      'Price of a report that another account bought on the same UTC day: half of `fresh_credits`, rounded up.',
    ),
    byok_credits: credits.describe('Price of a fresh report that uses your own provider keys.'),
  })
  .meta({ id: 'Pricing' });

export const checkShape = z
  .object({
    has_cached_report: z
      .boolean()
      .describe(
        'True if any account’s report on this event was completed on the current UTC day, with at least `min_members` opinions.',
      ),
    already_purchased: z
      .boolean()
      .describe(
        'True if you already own a report on this event from the current UTC day. Buying it again is free.',
      ),
    report_id: reportId
      .optional()
      .describe('Identifier of the report that you own. Present only if `already_purchased`.'),
    cost_credits: credits.describe(
      'Your current price on this lane. Send it as `quoted_credits`. 0 on the lane `subscription`, which bills dollars.',
    ),
    price_usd_cents: count
      .optional()
      .describe(
        'On the lane `subscription`: what would be billed, in US cents; 0 for a report that you own. Send it as `quoted_usd_cents`.',
      ),
    lane,
    pool: creditPool
      .nullable()
      .describe(
        'The credits that would be charged; null if none would. Send it as `quoted_pool` when you buy.',
      ),
    pricing: pricingShape,
    record_head: recordEntryShape
      .nullable()
      .describe(
        'The newest entry of the public record, at most some seconds ago. Keep it: if the entry of this number has another hash later, the record was rewritten.',
      ),
  })
  .meta({ id: 'Check' });

/** As a caller sends it; `PurchaseBody` is what it means, with the defaults. */
export type SentPurchase = z.input<typeof purchaseRequestSchema>;
export type PurchaseBody = z.infer<typeof purchaseRequestSchema>;
export type ReceiptView = z.infer<typeof receiptShape>;
export type CheckView = z.infer<typeof checkShape>;
export type PricingView = z.infer<typeof pricingShape>;

const linkToReport = {
  ReadIt: {
    operationId: 'getReport',
    description: 'The report.',
    parameters: { id: '$response.body#/report_id' },
  },
} as const;

export const purchaseOperations = {
  checkReport: {
    method: 'get',
    path: '/api/reports/check/{event_id}',
    tag: 'Reports',
    access: 'anyone',
    summary: 'Check the price of a report',
    description:
      'Returns whether today’s report on the event exists, whether you own it, and what it would cost you now. Send `cost_credits` as `quoted_credits` when you buy, or `price_usd_cents` as `quoted_usd_cents` on the lane `subscription`, and the `lane` and the `pool` (as `quoted_pool`) of the answer with it. Buys and charges nothing..',
    parameters: eventParameters,
    query: checkParameters,
    examples: { event_id: 'sample-fed-cut-2031', lane: 'credits', min_members: 3 },
    answers: {
      200: {
        description: 'The price for this caller.',
        schema: checkShape,
        examples: {
          fresh: 'No report today: a fresh run',
          subscription: 'On a subscription: billed in dollars',
          owned: 'Already purchased',
        },
      },
    },
    problems: [
      'account_suspended',
      'event_not_found',
      'event_closed',
      'lane_unavailable',
      'key_limit_reached_today',
      'house_limit_reached',
    ],
  },
  createReport: {
    method: 'post',
    path: '/api/reports',
    tag: 'Reports',
    access: 'anyone',
    scope: 'spend',
    summary: 'Buy a report',
    description:
      'Runs the council on the event, or returns the report of the same UTC day if there is one. A fresh run is charged at once and continues in the background. If the run fails, the charge is refunded to the pool that paid. A second purchase while the run is in progress returns the same report and charges nothing. 503 `unavailable` with `outcome: unknown` does not say whether the report was bought: repeat the request with the same `Idempotency-Key`, which returns what was bought or buys it once. An API key with `max_credits_per_day` spends at most that in a UTC day; more is refused with `key_limit_reached_today`.',
    costs:
      'Credits lane: the quote, or the weekly grant if unused; half for a cached report; nothing for an owned report. Subscription: 3.00 USD, cached 1.50 USD, metered on delivery. `byok`: 50 credits. The response says what was charged.',
    needs: 'Credits, or an active subscription, or your own provider keys, depending on the lane.',
    headers: idempotencyHeader,
    examples: { 'Idempotency-Key': 'fed-cut-2031-03-01' },
    body: {
      schema: purchaseRequestSchema,
      examples: {
        quoted: {
          summary: 'At the checked price',
          value: {
            event_id: 'sample-fed-cut-2031',
            quoted_credits: 120,
            quoted_pool: 'purchased',
            lane: 'credits',
          },
        },
        subscription: {
          summary: 'On a subscription, at the checked price',
          value: { event_id: 'sample-fed-cut-2031', quoted_usd_cents: 300, lane: 'subscription' },
        },
        whole_council: {
          summary: 'Only with all four opinions',
          value: { event_id: 'sample-fed-cut-2031', quoted_credits: 120, min_members: 4, lane: 'credits' },
        },
        own_keys: {
          summary: 'With your own provider keys',
          value: { event_id: 'sample-fed-cut-2031', lane: 'byok' },
        },
      },
    },
    answers: {
      200: {
        description: 'The report already exists: cached, owned or in progress.',
        schema: receiptShape,
        examples: { cached: 'Cached today: half the price' },
        headers: ['Location', 'Idempotent-Replayed'],
        links: linkToReport,
      },
      202: {
        description: 'The run was charged and started. Read the report at `Location`.',
        schema: receiptShape,
        examples: { fresh: 'A fresh run' },
        headers: ['Location', 'Retry-After', 'Idempotent-Replayed'],
        links: linkToReport,
      },
    },
    problems: [
      'insufficient_credits',
      'account_suspended',
      'event_not_found',
      'quote_expired',
      'event_closed',
      'lane_unavailable',
      'idempotency_mismatch',
      'run_limit_exceeded',
      'key_limit_reached_today',
      'house_limit_reached',
    ],
  },
} as const satisfies Readonly<Record<string, Operation>>;
