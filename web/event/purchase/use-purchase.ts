import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CouncilProblem, useApi } from '../../api/api.js';
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
  const [keys] = useState(() => idempotencyKeys(randomKey));
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

/** Whether the API rejected the request. After any other error the purchase may have succeeded. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof CouncilProblem) || error.document === null) return false;
  return error.document.status < 500 || error.code === 'house_limit_reached';
}

/** This avoids `crypto.randomUUID`, which browsers provide only in secure contexts. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Gives equal requests the same `Idempotency-Key` until one is answered, so that pressing the button again
 * after a lost response does not charge twice.
 */
export interface IdempotencyKeys {
  keyFor(request: object): string;
  /** The request was answered; the next one is a new purchase. */
  clear(): void;
}

export function idempotencyKeys(newKey: () => string): IdempotencyKeys {
  let current: { readonly request: string; readonly key: string } | null = null;
  return {
    keyFor: request => {
      const text = JSON.stringify(request);
      if (current?.request !== text) current = { request: text, key: newKey() };
      return current.key;
    },
    clear: () => {
      current = null;
    },
  };
}
