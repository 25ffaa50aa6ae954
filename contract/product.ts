/** What a client says of the product besides what the API answers: the very numbers and rules that the service goes by. */
export {
  byokCredits,
  liveKeysPerAccount,
  subscriptionCachedUsdCents,
  subscriptionFreshUsdCents,
} from '../council/limits.js';
export { type KeyVendor, keyVendors, missingKeys } from '../council/models.js';
export { isLive } from '../council/purchase/billing.js';
export { verdictEventsMin } from '../council/track-record/record-verdict.js';
