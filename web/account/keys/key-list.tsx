import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import type { KeyView } from '../../../contract/keys.js';
import { liveKeysPerAccount } from '../../../contract/product.js';
import { useApi } from '../../api/api.js';
import { keysQuery } from '../../api/private-queries.js';
import { ConfirmDialog } from '../../shared/confirm-dialog.js';
import { day, minute } from '../../shared/format.js';
import { useFocusOn } from '../../shared/hooks.js';
import { Loading, ProblemNotice } from '../../shared/notice.js';

/** The live keys, and the way to end one. */
export function KeyList() {
  const keys = useQuery(keysQuery(useApi()));
  const [asked, ask] = useState<KeyView | null>(null);
  const [revoked, setRevoked] = useState<KeyView | null>(null);
  // The button that was pressed goes away with its key.
  const headingRef = useFocusOn<HTMLHeadingElement>(revoked);
  const finish = (key: KeyView) => {
    ask(null);
    setRevoked(key);
  };
  return (
    <section className="part" aria-labelledby="live-keys">
      <h2 id="live-keys" ref={headingRef} tabIndex={-1}>
        Live keys
      </h2>
      <p role="status" className={revoked === null ? 'unseen' : undefined}>
        {revoked === null ? null : `“${revoked.name}” is revoked: it is refused from now on.`}
      </p>
      {keys.isError ? (
        <ProblemNotice error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data === undefined ? (
        <Loading what="your keys" />
      ) : keys.data.keys.length === 0 ? (
        <p>There is none.</p>
      ) : (
        <Keys keys={keys.data.keys} onRevoke={ask} />
      )}
      {asked === null ? null : (
        <RevokeKey asked={asked} onClose={() => ask(null)} onRevoked={() => finish(asked)} />
      )}
    </section>
  );
}

function Keys({ keys, onRevoke }: { keys: readonly KeyView[]; onRevoke: (key: KeyView) => void }) {
  return (
    <table className="keys">
      <caption>
        {keys.length} of at most {liveKeysPerAccount}. Only the first characters are known here: a lost key
        cannot be shown again, but another can be made.
      </caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Made</th>
          <th scope="col">Last used</th>
          <th scope="col">
            <span className="unseen">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map(key => (
          <tr key={key.id}>
            <th scope="row" className="any">
              {key.name}
              <code className="of muted">{key.key_prefix}…</code>
            </th>
            <td>{day(key.created_at)}</td>
            <td>
              {key.last_used_at === null ? <span className="muted">never</span> : minute(key.last_used_at)}
            </td>
            <td className="act">
              <button className="button danger small" type="button" onClick={() => onRevoke(key)}>
                Revoke<span className="unseen"> {key.name}</span>
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RevokeKeyProps {
  readonly asked: KeyView;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

function RevokeKey({ asked, onClose, onRevoked }: RevokeKeyProps) {
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
