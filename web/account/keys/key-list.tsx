import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyView } from '../../../contract/keys.js';
import { liveKeysPerAccount } from '../../../contract/product.js';
import { useApi } from '../../api/api.js';
import { keysQuery } from '../../api/private-queries.js';
import { ConfirmDialog } from '../../shared/confirm-dialog.js';
import { day, minute } from '../../shared/format.js';
import { useFocusOn } from '../../shared/hooks.js';
import { QueryResult } from '../../shared/query-result.js';
import { TableHead } from '../../shared/table-head.js';
import { isExpired, limitsText } from './key-limits.js';

/** The live keys, each with a button to revoke it. */
export function KeyList() {
  const query = useQuery(keysQuery(useApi()));
  const [selected, select] = useState<KeyView | null>(null);
  const [revoked, setRevoked] = useState<KeyView | null>(null);
  // The button that had the focus is removed together with its key.
  const headingRef = useFocusOn<HTMLHeadingElement>(revoked);
  const finish = (key: KeyView) => {
    select(null);
    setRevoked(key);
  };
  return (
    <section className="part" aria-labelledby="live-keys">
      <h2 id="live-keys" ref={headingRef} tabIndex={-1}>
        Live keys
      </h2>
      <p role="status" className={revoked === null ? 'unseen' : undefined}>
        {revoked === null ? null : `“${revoked.name}” was revoked and no longer works.`}
      </p>
      <QueryResult query={query} what="your keys">
        {({ keys }) =>
          keys.length === 0 ? <p>You have no keys.</p> : <Keys keys={keys} onRevoke={select} />
        }
      </QueryResult>
      {selected === null ? null : (
        <RevokeKey revoking={selected} onClose={() => select(null)} onRevoked={() => finish(selected)} />
      )}
    </section>
  );
}

function Keys({ keys, onRevoke }: { keys: readonly KeyView[]; onRevoke: (key: KeyView) => void }) {
  return (
    <table className="keys">
      <caption>
        {keys.filter(key => !isExpired(key)).length} of at most {liveKeysPerAccount}. Only the first
        characters of a key are stored here. A lost key cannot be shown again; create a new one instead.
      </caption>
      <TableHead
        texts={[
          'Key',
          'Created',
          'Last used',
          <span key="revoke" className="unseen">
            Revoke
          </span>,
        ]}
      />
      <tbody>
        {keys.map(key => (
          <tr key={key.id}>
            <th scope="row" className="any">
              {key.name}
              <code className="of muted">{key.key_prefix}…</code>
              <span className="of">{limitsText(key)}</span>
            </th>
            <td>{day(key.created_at)}</td>
            <td>
              {key.last_used_at === null ? <span className="muted">never</span> : minute(key.last_used_at)}
              {key.last_used_from === null ? null : (
                <span className="of any muted">from {key.last_used_from}</span>
              )}
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
  readonly revoking: KeyView;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

function RevokeKey({ revoking, onClose, onRevoked }: RevokeKeyProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api.request('DELETE /api/keys/{key_id}', { path: { key_id: revoking.id } }),
    onSuccess: async () => {
      onRevoked();
      await queryClient.invalidateQueries({ queryKey: keysQuery(api).queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke “${revoking.name}”?`}
      action="Revoke it"
      cancel="Keep it"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        Programs that use the key <code>{revoking.key_prefix}…</code> stop working at once. You cannot undo
        this. Reports bought with it stay in your account.
      </p>
    </ConfirmDialog>
  );
}
