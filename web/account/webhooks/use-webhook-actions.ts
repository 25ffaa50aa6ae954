import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WebhookChanges, WebhookView } from '../../../contract/webhooks.js';
import { useApi } from '../../api/api.js';
import { deliveriesQuery, webhooksQuery } from '../../api/private-queries.js';

/** What a member does with a webhook. What it changes is read again, and the other pages' copies with it. */
export function useWebhookActions({ id }: WebhookView) {
  const api = useApi();
  const queryClient = useQueryClient();
  const path = { id };
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: webhooksQuery(api).queryKey });
  const readDeliveries = () => queryClient.invalidateQueries({ queryKey: deliveriesQuery(api, id).queryKey });
  return {
    change: useMutation({
      mutationFn: (body: WebhookChanges) => api.request('PATCH /api/webhooks/{id}', { path, body }),
      onSuccess,
    }),
    /** Passes the secret on instead of returning it: the cache of mutations is shared by all pages. */
    rotate: useMutation({
      gcTime: 0,
      mutationFn: async (show: (secret: string) => void) => {
        show((await api.request('POST /api/webhooks/{id}/secret', { path })).secret);
      },
    }),
    remove: useMutation({
      mutationFn: async (onDeleted: () => void) => {
        await api.request('DELETE /api/webhooks/{id}', { path });
        onDeleted();
      },
      onSuccess,
    }),
    test: useMutation({
      mutationFn: () => api.request('POST /api/webhooks/{id}/test', { path }),
      onSuccess: readDeliveries,
    }),
    repeat: useMutation({
      mutationFn: (deliveryId: string) =>
        api.request('POST /api/webhooks/{id}/deliveries/{delivery_id}', {
          path: { id, delivery_id: deliveryId },
        }),
      onSuccess: readDeliveries,
    }),
  };
}
