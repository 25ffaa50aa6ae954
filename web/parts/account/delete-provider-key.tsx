import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import type { ProviderKeyView } from '../../../contract/provider-keys.js';
import { useApi } from '../../api/api-context.js';
import { providerKeysQuery } from '../../api/private-queries.js';
import { ConfirmDialog } from '../confirm-dialog.js';

interface DeleteProviderKeyProps {
  readonly vendor: ProviderKeyView['provider'];
  readonly name: string;
  readonly onDeleted: () => void;
}

export function DeleteProviderKey({ vendor, name, onDeleted }: DeleteProviderKeyProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.send('DELETE', `/api/provider-keys/${vendor}`, z.null()),
    onSuccess: async () => {
      setAsking(false);
      onDeleted();
      await queryClient.invalidateQueries({ queryKey: providerKeysQuery(api).queryKey });
    },
  });
  const ask = () => {
    remove.reset();
    setAsking(true);
  };
  return (
    <>
      <button className="button danger small" type="button" onClick={ask}>
        Delete<span className="unseen"> the key of {name}</span>
      </button>
      {isAsking ? (
        <ConfirmDialog
          title={`Delete your key of ${name}?`}
          action="Delete it"
          otherwise="Keep it"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            It is gone at once, also for a report that is being made: what that one has not asked yet drops
            out. You can store a key again at any time.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
