import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api.js';
import { isFinal, useIdempotencyKeys } from '../../shared/idempotency-keys.js';
import type { OfferedLane } from './format-offer.js';

interface PurchaseRequest {
  readonly event_id: string;
  readonly quoted_credits: number;
  readonly quoted_usd_cents?: number | undefined;
  readonly quoted_pool?: 'weekly_grant' | 'purchased';
  readonly lane: OfferedLane;
}

/** Buys a report at the price that is shown, and goes to its page. */
export function usePurchase() {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const keys = useIdempotencyKeys();
  return useMutation({
    mutationFn: (request: PurchaseRequest) =>
      api.request('POST /api/reports', {
        body: request,
        headers: { 'idempotency-key': keys.keyFor(request) },
      }),
    onSuccess: async receipt => {
      keys.clear();
      for (const part of ['balance', 'ledger', 'reports', 'billing']) {
        void queryClient.invalidateQueries({ queryKey: ['private', part] });
      }
      queryClient.removeQueries({ queryKey: ['private', 'offer'] });
      await navigate(`/reports/${receipt.report_id}`);
    },
    onError: async error => {
      if (!isFinal(error)) return;
      keys.clear();
      await queryClient.invalidateQueries({ predicate: ({ queryKey: [, part] }) => offerParts.has(part) });
    },
  });
}

/** The private queries that an offer is made from. */
const offerParts: ReadonlySet<unknown> = new Set(['offer', 'billing', 'provider-keys']);
