/** Numbers and rules of the product that clients show besides API responses. */
export {
  byokCredits,
  eventSearchDepthMax,
  liveKeysPerAccount,
  subscriptionCachedUsdCents,
  subscriptionFreshUsdCents,
} from '../council/limits.js';
export { type KeyVendor, keyVendors, missingKeys } from '../council/models.js';
export { isLive, isPayingStatus } from '../council/purchase/billing.js';
export { lanes } from '../council/purchase/purchase.js';
export { verdictEventsMin } from '../council/track-record/record-verdict.js';
