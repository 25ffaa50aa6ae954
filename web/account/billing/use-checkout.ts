import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { z } from 'zod';
import {
  billingStatusShape,
  packCheckoutShape,
  subscriptionCheckoutShape,
} from '../../../contract/billing.js';
import type { PackView } from '../../../contract/credits.js';
import { type Api, useApi } from '../../api/api.js';
import { billingStatusQuery } from '../../api/private-queries.js';

/** Opens a checkout and goes to the payment provider's page, from where the visitor comes back to the account. */
export function useCheckout() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (wish: PackView['id'] | 'subscription') =>
      wish === 'subscription' ? subscribe(api) : buy(api, wish),
    onSuccess: answer => {
      if ('url' in answer) window.location.assign(answer.url);
      else queryClient.setQueryData(billingStatusQuery(api).queryKey, answer);
    },
  });
}

const buy = (api: Api, packId: PackView['id']) =>
  api.send('POST', '/api/billing/checkout', packCheckoutShape, { body: { pack_id: packId, ...waysBack() } });

/** Who has a subscription after all, made elsewhere since this page was loaded, is told so and gets no second one. */
const subscribe = (api: Api) =>
  api.send('POST', '/api/billing/subscription', z.union([subscriptionCheckoutShape, billingStatusShape]), {
    body: waysBack(),
  });

function waysBack() {
  const account = `${window.location.origin}/account?checkout=`;
  return { success_url: `${account}success`, cancel_url: `${account}cancelled` };
}

const lookEveryMs = 2_000;
const lookForMs = 60_000;

/**
 * What was paid arrives when the payment provider tells the service, which may be a moment after the visitor is back: for a
 * minute it is looked for again and again.
 * @returns what `refetchInterval` of a query takes
 */
export function useRefetchAfterCheckout(): () => number | false {
  const [search] = useSearchParams();
  const [lookUntil] = useState(() => Date.now() + lookForMs);
  const paid = search.get('checkout') === 'success';
  return () => (paid && Date.now() < lookUntil ? lookEveryMs : false);
}
