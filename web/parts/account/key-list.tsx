import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeyView } from '../../../contract/keys.js';
import { liveKeysPerAccount } from '../../../contract/product.js';
import { useApi } from '../../api/api-context.js';
import { keysQuery } from '../../api/private-queries.js';
import { day, minute } from '../format.js';
import { Loading } from '../loading.js';
import { ProblemNotice } from '../problem-notice.js';
import { useFocusOn } from '../use-focus-on.js';
import { RevokeKey } from './revoke-key.js';

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
