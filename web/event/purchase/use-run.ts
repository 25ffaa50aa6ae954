import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { receiptShape } from '../../../contract/purchase.js';
import { ApiProblem, useApi } from '../../api/api.js';
import type { Lane } from './format-offer.js';

export interface RunRequest {
  readonly event_id: string;
  readonly quoted_credits: number;
  readonly lane: Lane;
}

/** Buys a report at the price that was shown, once, and goes on to where it is read. */
export function useRun() {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [keys] = useState(() => idempotencyKeys(randomKey));
  return useMutation({
    mutationFn: (wish: RunRequest) =>
      api.send('POST', '/api/reports', receiptShape, {
        body: wish,
        headers: { 'idempotency-key': keys.of(wish) },
      }),
    onSuccess: async receipt => {
      keys.forget();
      for (const part of ['balance', 'ledger', 'reports', 'billing']) {
        void queryClient.invalidateQueries({ queryKey: ['private', part] });
      }
      queryClient.removeQueries({ queryKey: ['private', 'offer'] });
      await navigate(`/reports/${receipt.report_id}`);
    },
    onError: async error => {
      if (!wasAnswered(error)) return;
      keys.forget();
      await queryClient.invalidateQueries({ queryKey: ['private', 'offer'] });
    },
  });
}

/** Otherwise it may have been bought, and the same wish has to be sent again under the same key. */
function wasAnswered(error: unknown): boolean {
  return error instanceof ApiProblem && error.document !== null && error.document.status < 500;
}

/** Not `randomUUID`, which a browser has on secure addresses only. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * One `Idempotency-Key` for one wish, however often it has to be sent: whoever presses again because no answer came must not
 * be charged twice. Another wish, or one that was answered, has another key.
 */
export interface IdempotencyKeys {
  of(wish: object): string;
  /** The wish was answered. */
  forget(): void;
}

export function idempotencyKeys(newKey: () => string): IdempotencyKeys {
  let current: { readonly wish: string; readonly key: string } | null = null;
  return {
    of: wish => {
      const text = JSON.stringify(wish);
      if (current?.wish !== text) current = { wish: text, key: newKey() };
      return current.key;
    },
    forget: () => {
      current = null;
    },
  };
}
