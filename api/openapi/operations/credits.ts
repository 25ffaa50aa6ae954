import { balanceShape, ledgerParameters, ledgerShape, packListShape } from '../../../contract/credits.js';
import { pricingShape } from '../../../contract/purchase.js';
import { packs } from '../../../purchase/billing.js';
import { presentPack } from '../../present/prices.js';
import { balanceExample, ledgerExample } from '../examples/accounts.js';
import { pricingExample } from '../examples/purchase.js';
import type { Operation } from '../operation.js';

export const creditOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/credits/pricing',
    operationId: 'getPricing',
    tag: 'Credits',
    summary: 'Read the prices',
    description:
      'Returns the current prices of reports. The price of a fresh report follows the actual cost of runs, in small steps between a minimum and a maximum, by at most 10 % within an hour.',
    costs: 'Nothing.',
    access: 'public',
    responses: [
      {
        status: 200,
        description: 'The current prices.',
        shape: pricingShape,
        examples: { now: { summary: 'A fresh report for 120 credits', value: pricingExample } },
      },
    ],
    problems: ['unavailable'],
  },
  {
    method: 'get',
    path: '/api/credits/packs',
    operationId: 'listPacks',
    tag: 'Credits',
    summary: 'List credit packs',
    description: 'Returns the credit packs and their prices. Larger packs cost less per credit.',
    costs: 'Nothing.',
    access: 'public',
    responses: [
      {
        status: 200,
        description: 'Every pack.',
        shape: packListShape,
        examples: {
          all: { summary: 'All packs', value: { packs: Object.values(packs).map(presentPack) } },
        },
      },
    ],
  },
  {
    method: 'get',
    path: '/api/credits/balance',
    operationId: 'getBalance',
    tag: 'Credits',
    summary: 'Read your balance',
    description: 'Returns the purchased credits and whether the free report of this week is still available.',
    costs: 'Nothing.',
    access: 'anyone',
    responses: [
      {
        status: 200,
        description: 'The current balance.',
        shape: balanceShape,
        examples: { some: { summary: 'Credits, weekly grant used', value: balanceExample } },
      },
    ],
  },
  {
    method: 'get',
    path: '/api/credits/ledger',
    operationId: 'listLedger',
    tag: 'Credits',
    summary: 'List ledger entries',
    description:
      'Returns every purchase, grant, charge, refund and adjustment, newest first, with its report and API key. Entries are never changed or deleted.',
    costs: 'Nothing.',
    access: 'anyone',
    parameters: [{ in: 'query', schema: ledgerParameters, examples: { page: 1, per_page: 20 } }],
    responses: [
      {
        status: 200,
        description: 'One page of entries.',
        shape: ledgerShape,
        examples: { two: { summary: 'A grant and the charge for a report', value: ledgerExample } },
      },
    ],
  },
];
