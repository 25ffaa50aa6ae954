import { useQueries, useQuery } from '@tanstack/react-query';
import type { BillingStatusView } from '../../../contract/billing.js';
import { isPayingStatus, lanes, missingKeys } from '../../../contract/product.js';
import type { ProviderKeyView } from '../../../contract/provider-keys.js';
import { useApi } from '../../api/api.js';
import {
  billingStatusQuery,
  type LaneOffer,
  offerQuery,
  providerKeysQuery,
} from '../../api/private-queries.js';
import type { OfferedLane } from './format-offer.js';

interface Offers {
  /** Null until the offers of all lanes are loaded. */
  readonly offers: readonly LaneOffer[] | null;
  readonly error: unknown;
  readonly refetch: () => void;
}

/**
 * The current price of a report on the event, on every lane that the account has set up. The price on another
 * lane is not requested: the API would refuse it, and browsers write every refusal to their console.
 */
export function useOffers(eventId: string): Offers {
  const api = useApi();
  const billing = useQuery(billingStatusQuery(api));
  const keys = useQuery(providerKeysQuery(api));
  const missing =
    billing.data === undefined || keys.data === undefined
      ? null
      : missingSetup(billing.data, keys.data.provider_keys);
  const prices = useQueries({
    queries: lanes.map(lane => ({
      ...offerQuery(api, eventId, lane),
      enabled: lane === 'credits' || missing?.[lane].length === 0,
    })),
  });
  const offers = lanes.flatMap((lane, index): LaneOffer[] => {
    if (missing !== null && missing[lane].length > 0)
      return [{ lane, check: null, missing: missing[lane], reopensInSeconds: null }];
    const offer = prices[index]?.data;
    return offer === undefined ? [] : [offer];
  });
  const queries = [billing, keys, ...prices];
  return {
    offers: offers.length === lanes.length ? offers : null,
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => {
      for (const query of queries) if (query.isError) void query.refetch();
    },
  };
}

/** What each lane needs and the account does not have, as the API names it in `lane_unavailable`. */
export function missingSetup(
  { status }: Pick<BillingStatusView, 'status'>,
  keys: readonly Pick<ProviderKeyView, 'provider'>[],
): Readonly<Record<OfferedLane, readonly string[]>> {
  return {
    credits: [],
    // `plan` does not decide: the API reads a subscription that has just ended again before it names its price.
    subscription: isPayingStatus(status) ? [] : ['subscription'],
    byok: missingKeys(keys.map(({ provider }) => provider)),
  };
}
