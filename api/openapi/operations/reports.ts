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
import { failedExample, reportExample, runningExample, summaryExample } from '../examples/report.js';
import { type Answer, conditional, notModified, type Operation } from '../operation.js';
import { eventParameters } from './events.js';

const toReport = {
  ReadIt: {
    operationId: 'getReport',
    description: 'The report.',
    parameters: { id: '$response.body#/report_id' },
  },
};

const theReport: Answer = {
  status: 200,
  description:
    'The report as it stands. One that is `completed` or `failed` will not change any more, but for its grade.',
  shape: reportShape,
  examples: {
    completed: { summary: 'Finished', value: reportExample },
    processing: { summary: 'Still running', value: runningExample },
    failed: { summary: 'Failed, and given back', value: failedExample },
  },
  headers: ['Cache-Control', 'ETag-when-finished', 'Retry-After-while-it-runs'],
};

export const reportOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/reports/check/{event_id}',
    operationId: 'checkReport',
    tag: 'Reports',
    summary: 'Ask what a report would cost',
    description:
      'Whether there is a report of today on the event, whether you own it, and what it would cost you now. Send `cost_credits` as `quoted_credits` when you buy. Records nothing.',
    costs: 'Nothing.',
    access: 'anyone',
    parameters: [eventParameters, { in: 'query', schema: checkParameters, examples: { lane: 'credits' } }],
    answers: [
      {
        status: 200,
        description: 'The price for this caller.',
        shape: checkShape,
        examples: {
          fresh: {
            summary: 'Nobody has asked today: a fresh run',
            value: {
              has_cached_report: false,
              already_purchased: false,
              cost_credits: 120,
              lane: 'credits',
              pool: 'purchased',
              pricing: pricingExample,
            },
          },
          owned: {
            summary: 'Bought already',
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
    problems: ['event_not_found', 'lane_unavailable'],
  },
  {
    method: 'post',
    path: '/api/reports',
    operationId: 'createReport',
    tag: 'Reports',
    summary: 'Buy a report',
    description:
      'Puts the event before the council, or hands over the report of the same UTC day if there is one. A fresh run is charged at once and goes on in the background; should it fail, exactly what was charged goes back to the pool it came from. Asking again for an event whose run is under way gives the same report and charges nothing.',
    costs:
      'Credits lane: the quote, or the weekly grant if it is unused; half for a cached report; nothing for one that is owned. Subscription: 3.00 USD, cached 1.50 USD, metered when delivered. `byok`: 50 credits. The answer says what was taken.',
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
          summary: 'At the price that was checked',
          value: { event_id: eventExample.event_id, quoted_credits: 120 },
        },
        own_keys: {
          summary: 'With your own provider keys',
          value: { event_id: eventExample.event_id, lane: 'byok' },
        },
      },
    },
    answers: [
      {
        status: 200,
        description: 'There was one already: cached, owned, or under way.',
        shape: receiptShape,
        examples: {
          cached: {
            summary: 'Somebody had it made today: half the price',
            value: { ...receiptExample, status: 'completed', cached: true, credits_spent: 60 },
          },
        },
        headers: ['Location', 'Idempotent-Replayed'],
        links: toReport,
      },
      {
        status: 202,
        description: 'Charged, and begun. Read it at `Location`.',
        shape: receiptShape,
        examples: { fresh: { summary: 'A fresh run', value: receiptExample } },
        headers: ['Location', 'Retry-After', 'Idempotent-Replayed'],
        links: toReport,
      },
    ],
    problems: [
      'insufficient_credits',
      'event_not_found',
      'quote_expired',
      'event_closed',
      'lane_unavailable',
      'idempotency_mismatch',
      'run_limit_exceeded',
    ],
  },
  {
    method: 'get',
    path: '/api/reports',
    operationId: 'listReports',
    tag: 'Reports',
    summary: 'List your reports',
    description: 'The reports of the account, newest first, in short.',
    costs: 'Nothing.',
    access: 'anyone',
    parameters: [
      { in: 'query', schema: reportListParameters, examples: { status: 'completed', page: 1, per_page: 20 } },
    ],
    answers: [
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
      'The whole report: verdict, distribution, bets, deliberation, and the market as it was frozen for the run. Ask again until it is `completed` or `failed`, after `Retry-After`, or held by `Prefer: wait=30`.',
    costs: 'Nothing.',
    access: 'anyone',
    needs: 'That the account has bought it; anybody else’s is not there.',
    parameters: [
      { in: 'path', schema: reportParameters, examples: { id: 2 } },
      { in: 'header', schema: waitHeader, examples: { Prefer: 'wait=30' } },
      conditional,
    ],
    answers: [
      { ...theReport, headers: [...(theReport.headers ?? []), 'Preference-Applied'] },
      { ...notModified, headers: ['ETag', 'Cache-Control', 'Preference-Applied'] },
    ],
    problems: ['invalid_request'],
  },
  {
    method: 'get',
    path: '/api/reports/sample',
    operationId: 'getSampleReport',
    tag: 'Reports',
    summary: 'Read the sample report',
    description:
      'A whole report that everybody may read, to see what one looks like. There is one only where models are simulated.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [conditional],
    answers: [theReport, { ...notModified, headers: ['ETag', 'Cache-Control'] }],
    problems: ['not_found', 'unavailable'],
  },
];
