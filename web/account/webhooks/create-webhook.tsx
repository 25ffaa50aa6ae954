import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.js';
import { webhooksQuery } from '../../api/private-queries.js';
import type { ShownSecret } from './new-secret.js';
import { type WebhookFields, WebhookForm } from './webhook-form.js';

interface CreateWebhookProps {
  readonly onCreated: (created: ShownSecret) => void;
  /** Focuses the first field after a webhook was created, because the element that had the focus is gone. */
  readonly isNext: boolean;
}

const initial = {
  url: '',
  description: '',
  types: ['report.completed', 'report.failed'],
} as const satisfies WebhookFields;

export function CreateWebhook({ onCreated, isNext }: CreateWebhookProps) {
  const creation = useCreateWebhook(onCreated);
  return (
    <WebhookForm
      initial={initial}
      isPending={creation.isPending}
      error={creation.error}
      autoFocus={isNext}
      onSubmit={creation.mutate}
    >
      <button className="button" type="submit" disabled={creation.isPending}>
        Create webhook
      </button>
    </WebhookForm>
  );
}

/** Passes the secret on instead of returning it: the cache of mutations is shared by all pages. */
function useCreateWebhook(onCreated: (created: ShownSecret) => void) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: async ({ url, types, description }: WebhookFields) => {
      const body = { url, types, ...(description === '' ? {} : { description }) };
      const { webhook, secret } = await api.request('POST /api/webhooks', { body });
      onCreated({ url: webhook.url, secret, isRotated: false });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksQuery(api).queryKey }),
  });
}
