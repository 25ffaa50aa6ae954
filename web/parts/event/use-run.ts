import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { receiptShape } from '../../../contract/purchase.js';
import { useApi } from '../../api/api-context.js';
import { ApiProblem } from '../../api/api-problem.js';
import type { Lane } from './offer-words.js';
import { wishKeys } from './wish-keys.js';

export interface Wish {
  readonly event_id: string;
  readonly quoted_credits: number;
  readonly lane: Lane;
}

/** Buys a report at the price that was shown, once, and goes on to where it is read. */
export function useRun() {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [keys] = useState(() => wishKeys(randomKey));
  return useMutation({
    mutationFn: (wish: Wish) =>
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
