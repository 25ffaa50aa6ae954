import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { newKey } from '../../client/send-under-key.js';
import type { BatchPlanView, NewBatchBody } from '../../contract/batches/batch-shapes.js';
import { useApi } from '../api/api.js';
import { isFinal, useIdempotencyKeys } from '../shared/idempotency-keys.js';
import { batchPath } from './format-batches.js';

/** What a submitted form asks for. */
export type BatchRequest = Omit<NewBatchBody, 'dry_run'>;

export interface PlannedBatch {
  readonly request: BatchRequest;
  readonly plan: BatchPlanView;
}

/** Asks what a batch would cost now. Nothing is bought or stored. */
export function usePlan() {
  const api = useApi();
  return useMutation({
    mutationFn: async (request: BatchRequest): Promise<PlannedBatch> => {
      const plan = await api.request('POST /api/batches', {
        body: { ...request, dry_run: true },
        headers: { 'idempotency-key': newKey() },
      });
      if ('batch_id' in plan) throw new Error('a dry run was answered with a batch');
      return { request, plan };
    },
  });
}

export type BatchCreation = ReturnType<typeof useCreateBatch>;

/** Creates the batch, once for equal requests until one is answered, and goes to its page. */
export function useCreateBatch() {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const keys = useIdempotencyKeys();
  return useMutation({
    mutationFn: (request: BatchRequest) =>
      api.request('POST /api/batches', {
        body: request,
        headers: { 'idempotency-key': keys.keyFor(request) },
      }),
    onSuccess: async batch => {
      keys.clear();
      for (const part of ['batches', 'balance', 'ledger', 'reports']) {
        void queryClient.invalidateQueries({ queryKey: ['private', part] });
      }
      if ('batch_id' in batch) await navigate(batchPath(batch.batch_id));
    },
    onError: error => {
      if (isFinal(error)) keys.clear();
    },
  });
}
