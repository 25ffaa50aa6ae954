import { z } from 'zod';
import {
  currentSessionOrNullShape,
  mailRequestedShape,
  passwordRequestedShape,
  passwordSetShape,
  signedInShape,
  signedOutShape,
  signedUpShape,
} from '../../contract/accounts.js';
import {
  billingStatusShape,
  packCheckoutShape,
  portalShape,
  subscriptionCheckoutShape,
} from '../../contract/billing.js';
import { balanceShape, ledgerShape, packListShape } from '../../contract/credits.js';
import { eventListShape, eventShape } from '../../contract/events.js';
import { keyListShape, mintedKeyShape } from '../../contract/keys.js';
import { providerKeyListShape, providerKeyShape } from '../../contract/provider-keys.js';
import { checkShape, pricingShape, receiptShape } from '../../contract/purchase.js';
import { reportListShape, reportShape } from '../../contract/reports.js';
import { trackRecordShape } from '../../contract/track-record.js';

/**
 * The operations of the public API that the pages use, and what each answers. Browsers import only the types:
 * the schemas and their library are larger than the pages. A test compares this table with the API's own.
 */
export const answerShapes = {
  'GET /api/auth/get-session': currentSessionOrNullShape,
  'POST /api/auth/request-password-reset': passwordRequestedShape,
  'POST /api/auth/reset-password': passwordSetShape,
  'POST /api/auth/send-verification-email': mailRequestedShape,
  'POST /api/auth/sign-in/email': signedInShape,
  'POST /api/auth/sign-out': signedOutShape,
  'POST /api/auth/sign-up/email': signedUpShape,
  'DELETE /api/billing/subscription': billingStatusShape,
  'GET /api/billing/status': billingStatusShape,
  'POST /api/billing/checkout': packCheckoutShape,
  'POST /api/billing/portal': portalShape,
  'POST /api/billing/subscription': z.union([billingStatusShape, subscriptionCheckoutShape]),
  'GET /api/credits/balance': balanceShape,
  'GET /api/credits/ledger': ledgerShape,
  'GET /api/credits/packs': packListShape,
  'GET /api/credits/pricing': pricingShape,
  'GET /api/events': eventListShape,
  'GET /api/events/{event_id}': eventShape,
  'DELETE /api/keys/{key_id}': z.null(),
  'GET /api/keys': keyListShape,
  'POST /api/keys': mintedKeyShape,
  'DELETE /api/provider-keys/{provider}': z.null(),
  'GET /api/provider-keys': providerKeyListShape,
  'PUT /api/provider-keys/{provider}': providerKeyShape,
  'GET /api/reports': reportListShape,
  'GET /api/reports/{id}': reportShape,
  'GET /api/reports/check/{event_id}': checkShape,
  'GET /api/reports/sample': reportShape,
  'POST /api/reports': receiptShape,
  'GET /api/stats/track-record': trackRecordShape,
};

/** Method and path, with parameters in braces. */
export type Operation = keyof typeof answerShapes;

export type Answer<Name extends Operation> = z.output<(typeof answerShapes)[Name]>;
