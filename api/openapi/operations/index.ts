import type { Operation } from '../operation.js';
import { accountOperations } from './accounts.js';
import { billingOperations } from './billing.js';
import { creditOperations } from './credits.js';
import { eventOperations } from './events.js';
import { keyOperations, providerKeyOperations } from './keys.js';
import { reportOperations } from './reports.js';
import { serviceOperations } from './service.js';
import { trackRecordOperations } from './track-record.js';

/** Every route of the public API, in the order of the reference. A test compares them with the routers. */
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
