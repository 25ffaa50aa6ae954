import type { SalesPolicy } from '../../purchase/house-ceilings.js';
import { usdMicrosPerUsd } from '../../purchase/limits.js';
import type { Settings } from './settings.js';

/** What the operator decides about sales: the same in the API, which checks a purchase, and the worker, which sells. */
export function salesPolicyOf(
  settings: Pick<Settings, 'HOUSE_LIMIT_USD_PER_DAY' | 'GRANT_LIMIT_USD_PER_DAY' | 'EMAIL_VERIFICATION'>,
): SalesPolicy {
  return {
    houseLimitUsdMicros: settings.HOUSE_LIMIT_USD_PER_DAY * usdMicrosPerUsd,
    grantLimitUsdMicros: settings.GRANT_LIMIT_USD_PER_DAY * usdMicrosPerUsd,
    grantNeedsVerifiedAddress: settings.EMAIL_VERIFICATION === 'required',
  };
}
