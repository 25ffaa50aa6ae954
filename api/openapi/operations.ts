import type { Operation } from './operation.js';
import { accountOperations } from './operations/accounts.js';
import { billingOperations } from './operations/billing.js';
import { creditOperations } from './operations/credits.js';
import { eventOperations } from './operations/events.js';
import { keyOperations } from './operations/keys.js';
import { providerKeyOperations } from './operations/provider-keys.js';
import { reportOperations } from './operations/reports.js';
import { serviceOperations } from './operations/service.js';
import { trackRecordOperations } from './operations/track-record.js';

/** Every route of the public JSON interface, in the order of the reference. A test holds the routers against it. */
export const operations: readonly Operation[] = [
  ...eventOperations,
  ...reportOperations,
  ...trackRecordOperations,
  ...creditOperations,
  ...billingOperations,
  ...keyOperations,
  ...providerKeyOperations,
  ...accountOperations,
  ...serviceOperations,
];
