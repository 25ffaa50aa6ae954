/** Numbers and rules of the product that clients show besides API responses. */

export { type KeyVendor, keyVendors, missingKeys } from '../council/models.js';
export { isLive, isPayingStatus } from '../purchase/billing.js';
export {
  byokCredits,
  eventSearchDepthMax,
  liveKeysPerAccount,
  subscriptionCachedUsdCents,
  subscriptionFreshUsdCents,
  webhookSecretKeptHours,
  webhooksPerAccount,
} from '../purchase/limits.js';
export { lanes } from '../purchase/purchase.js';
export { verdictEventsMin } from '../record/figures/record-verdict.js';
