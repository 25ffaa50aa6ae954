import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { KeyView } from '../../../contract/keys.js';
import { useApi } from '../../api/api-context.js';
import { keysQuery } from '../../api/private-queries.js';
import { ConfirmDialog } from '../confirm-dialog.js';

interface RevokeKeyProps {
  readonly asked: KeyView;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

export function RevokeKey({ asked, onClose, onRevoked }: RevokeKeyProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api.send('DELETE', `/api/keys/${encodeURIComponent(asked.id)}`, z.null()),
    onSuccess: async () => {
      onRevoked();
      await queryClient.invalidateQueries({ queryKey: keysQuery(api).queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke “${asked.name}”?`}
      action="Revoke it"
      otherwise="Keep it"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        Whatever uses the key <code>{asked.key_prefix}…</code> is refused at once, and for good. Reports that
        were bought with it stay yours.
      </p>
    </ConfirmDialog>
  );
}
