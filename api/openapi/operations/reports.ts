import { idempotencyHeader, waitHeader } from '../../../contract/parameters.js';
import {
  checkParameters,
  checkShape,
  purchaseRequestSchema,
  receiptShape,
} from '../../../contract/purchase.js';
import {
  reportListParameters,
  reportListShape,
  reportParameters,
  reportShape,
} from '../../../contract/reports.js';
import { eventExample, pricingExample, receiptExample } from '../examples/purchase.js';
import {
  failedExample,
  reportExample,
  researchingExample,
  runningExample,
  summaryExample,
} from '../examples/report.js';
import { conditional, notModified, type Operation, type SuccessResponse } from '../operation.js';
import { eventParameters } from './events.js';

const linkToReport = {
  ReadIt: {
    operationId: 'getReport',
    description: 'The report.',
    parameters: { id: '$response.body#/report_id' },
  },
};

const reportResponse: SuccessResponse = {
  status: 200,
  description: 'The report in its present state. After `completed` or `failed`, only its grade can change.',
  shape: reportShape,
  examples: {
    completed: { summary: 'Completed', value: reportExample },
    researching: { summary: 'In progress: members search the web', value: researchingExample },
    processing: { summary: 'In progress: members review each other', value: runningExample },
    failed: { summary: 'Failed and refunded', value: failedExample },
  },
  headers: ['ETag-when-finished', 'Retry-After-while-it-runs'],
};

export const reportOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/reports/check/{event_id}',
    operationId: 'checkReport',
    tag: 'Reports',
    summary: 'Check the price of a report',
    description:
      'Returns whether today’s report on the event exists, whether you own it, and what it would cost you now. Send `cost_credits` as `quoted_credits` when you buy, or `price_usd_cents` as `quoted_usd_cents` on the lane `subscription`, and the `lane` and the `pool` (as `quoted_pool`) of the answer with it. Buys and charges nothing..',
    costs: 'Nothing.',
    access: 'anyone',
    parameters: [eventParameters, { in: 'query', schema: checkParameters, examples: { lane: 'credits' } }],
    responses: [
      {
        status: 200,
        description: 'The price for this caller.',
        shape: checkShape,
        examples: {
          fresh: {
            summary: 'No report today: a fresh run',
            value: {
              has_cached_report: false,
              already_purchased: false,
              cost_credits: 120,
              lane: 'credits',
              pool: 'purchased',
              pricing: pricingExample,
            },
          },
          subscription: {
            summary: 'On a subscription: billed in dollars',
            value: {
              has_cached_report: false,
              already_purchased: false,
              cost_credits: 0,
              price_usd_cents: 300,
              lane: 'subscription',
              pool: null,
              pricing: pricingExample,
            },
          },
          owned: {
            summary: 'Already purchased',
            value: {
              has_cached_report: true,
              already_purchased: true,
              report_id: 2,
              cost_credits: 0,
              lane: 'credits',
              pool: 'purchased',
              pricing: pricingExample,
            },
          },
        },
      },
    ],
    problems: [
      'account_suspended',
      'event_not_found',
      'event_closed',
      'lane_unavailable',
      'house_limit_reached',
    ],
  },
  {
    method: 'post',
    path: '/api/reports',
    operationId: 'createReport',
    tag: 'Reports',
    summary: 'Buy a report',
    description:
      'Runs the council on the event, or returns the report of the same UTC day if there is one. A fresh run is charged at once and continues in the background. If the run fails, the charge is refunded to the pool that paid. A second purchase while the run is in progress returns the same report and charges nothing. 503 `unavailable` with `outcome: unknown` does not say whether the report was bought: repeat the request with the same `Idempotency-Key`, which returns what was bought or buys it once.',
    costs:
      'Credits lane: the quote, or the weekly grant if unused; half for a cached report; nothing for an owned report. Subscription: 3.00 USD, cached 1.50 USD, metered on delivery. `byok`: 50 credits. The response says what was charged.',
    access: 'anyone',
    needs: 'Credits, or an active subscription, or your own provider keys, depending on the lane.',
    parameters: [
      { in: 'header', schema: idempotencyHeader, examples: { 'Idempotency-Key': 'fed-cut-2031-03-01' } },
    ],
    body: {
      schema: purchaseRequestSchema,
      required: true,
      examples: {
        quoted: {
          summary: 'At the checked price',
          value: {
            event_id: eventExample.event_id,
            quoted_credits: 120,
            quoted_pool: 'purchased',
            lane: 'credits',
          },
        },
        subscription: {
          summary: 'On a subscription, at the checked price',
          value: { event_id: eventExample.event_id, quoted_usd_cents: 300, lane: 'subscription' },
        },
        own_keys: {
          summary: 'With your own provider keys',
          value: { event_id: eventExample.event_id, lane: 'byok' },
        },
      },
    },
    responses: [
      {
        status: 200,
        description: 'The report already exists: cached, owned or in progress.',
        shape: receiptShape,
        examples: {
          cached: {
            summary: 'Cached today: half the price',
            value: { ...receiptExample, status: 'completed', cached: true, credits_spent: 60 },
          },
        },
        headers: ['Location', 'Idempotent-Replayed'],
        links: linkToReport,
      },
      {
        status: 202,
        description: 'The run was charged and started. Read the report at `Location`.',
        shape: receiptShape,
        examples: { fresh: { summary: 'A fresh run', value: receiptExample } },
        headers: ['Location', 'Retry-After', 'Idempotent-Replayed'],
        links: linkToReport,
      },
    ],
    problems: [
      'insufficient_credits',
      'account_suspended',
      'event_not_found',
      'quote_expired',
      'event_closed',
      'lane_unavailable',
      'idempotency_mismatch',
      'run_limit_exceeded',
      'house_limit_reached',
    ],
  },
  {
    method: 'get',
    path: '/api/reports',
    operationId: 'listReports',
    tag: 'Reports',
    summary: 'List your reports',
    description: 'Returns summaries of the account’s reports, newest first.',
    costs: 'Nothing.',
    access: 'anyone',
    parameters: [
      { in: 'query', schema: reportListParameters, examples: { status: 'completed', page: 1, per_page: 20 } },
    ],
    responses: [
      {
        status: 200,
        description: 'One page of reports.',
        shape: reportListShape,
        examples: {
          one: {
            summary: 'One report',
            value: { reports: [summaryExample], page: 1, per_page: 20, total: 1 },
          },
        },
      },
    ],
  },
  {
    method: 'get',
    path: '/api/reports/{id}',
    operationId: 'getReport',
    tag: 'Reports',
    summary: 'Read a report',
    description:
      'Returns the whole report: verdict, distribution, bets, deliberation, and the market at the time of the run. Until it is `completed` or `failed`, poll after `Retry-After`, or send `Prefer: wait=30` to hold the response.',
    costs: 'Nothing.',
    access: 'anyone',
    needs: 'An account that has bought the report. Others get `not_found`.',
    parameters: [
      { in: 'path', schema: reportParameters, examples: { id: 2 } },
      { in: 'header', schema: waitHeader, examples: { Prefer: 'wait=30' } },
      conditional,
    ],
    responses: [
      { ...reportResponse, headers: [...(reportResponse.headers ?? []), 'Preference-Applied'] },
      { ...notModified, headers: ['ETag', 'Preference-Applied'] },
    ],
    problems: ['invalid_request'],
  },
  {
    method: 'get',
    path: '/api/reports/sample',
    operationId: 'getSampleReport',
    tag: 'Reports',
    summary: 'Read the sample report',
    description: 'Returns a public report as an example. Available only on a service with simulated models.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [conditional],
    responses: [reportResponse, { ...notModified, headers: ['ETag'] }],
    problems: ['not_found', 'unavailable'],
  },
];
