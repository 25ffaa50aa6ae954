import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { PackView } from '../../../contract/credits.js';
import { type Api, useApi } from '../../api/api.js';
import { billingStatusQuery } from '../../api/private-queries.js';

/** Opens a checkout and goes to the payment provider's page, which leads back to the account page. */
export function useCheckout() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (item: PackView['id'] | 'subscription') =>
      item === 'subscription' ? subscribe(api) : buyPack(api, item),
    onSuccess: checkout => {
      if ('url' in checkout) window.location.assign(checkout.url);
      else queryClient.setQueryData(billingStatusQuery(api).queryKey, checkout);
    },
  });
}

/** Opens the billing portal of the payment provider, which leads back to the account page. */
export function usePortal() {
  const api = useApi();
  return useMutation({
    mutationFn: () =>
      api.request('POST /api/billing/portal', {
        body: { return_url: `${window.location.origin}/account` },
      }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}

const buyPack = (api: Api, packId: PackView['id']) =>
  api.request('POST /api/billing/checkout', {
    body: { pack_id: packId, ...returnUrls() },
  });

/** Returns the billing status instead of a checkout if the account has subscribed meanwhile. */
const subscribe = (api: Api) => api.request('POST /api/billing/subscription', { body: returnUrls() });

function returnUrls() {
  const account = `${window.location.origin}/account?checkout=`;
  return { success_url: `${account}success`, cancel_url: `${account}cancelled` };
}

const refetchEveryMs = 2_000;
const refetchForMs = 60_000;

/**
 * Refetches for a minute after a successful checkout, because the payment provider may notify the service
 * only after the visitor has returned.
 * @returns the `refetchInterval` of a query
 */
export function useRefetchAfterCheckout(): () => number | false {
  const [search] = useSearchParams();
  const [until] = useState(() => Date.now() + refetchForMs);
  const paid = search.get('checkout') === 'success';
  return () => (paid && Date.now() < until ? refetchEveryMs : false);
}
