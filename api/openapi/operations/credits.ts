import { balanceShape, ledgerParameters, ledgerShape, packListShape } from '../../../contract/credits.js';
import { pricingShape } from '../../../contract/purchase.js';
import { packs } from '../../../council/purchase/billing.js';
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
      'What reports cost now. The price of a fresh one follows what runs really cost, in small steps within a floor and a ceiling.',
    costs: 'Nothing.',
    access: 'public',
    answers: [
      {
        status: 200,
        description: 'The prices of this moment.',
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
    summary: 'List what can be bought',
    description: 'The packs of credits, and their prices. The more at once, the less a credit costs.',
    costs: 'Nothing.',
    access: 'public',
    answers: [
      {
        status: 200,
        description: 'Every pack.',
        shape: packListShape,
        examples: {
          all: { summary: 'All there are', value: { packs: Object.values(packs).map(presentPack) } },
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
    description: 'The purchased credits, and whether the free report of this week is still to be had.',
    costs: 'Nothing.',
    access: 'anyone',
    answers: [
      {
        status: 200,
        description: 'The balance of this moment.',
        shape: balanceShape,
        examples: { some: { summary: 'Credits, and the grant used up', value: balanceExample } },
      },
    ],
  },
  {
    method: 'get',
    path: '/api/credits/ledger',
    operationId: 'listLedger',
    tag: 'Credits',
    summary: 'Read what moved your credits',
    description:
      'Every purchase, grant, charge, refund and adjustment, newest first, with the report and the API key concerned. Entries are never changed or taken away.',
    costs: 'Nothing.',
    access: 'anyone',
    parameters: [{ in: 'query', schema: ledgerParameters, examples: { page: 1, per_page: 20 } }],
    answers: [
      {
        status: 200,
        description: 'One page of entries.',
        shape: ledgerShape,
        examples: { two: { summary: 'A gift, and a report that was bought', value: ledgerExample } },
      },
    ],
  },
];
