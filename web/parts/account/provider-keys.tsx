import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keyVendors } from '../../../contract/product.js';
import type { ProviderKeyView } from '../../../contract/provider-keys.js';
import { useApi } from '../../api/api-context.js';
import { providerKeysQuery } from '../../api/private-queries.js';
import { day } from '../format.js';
import { Loading } from '../loading.js';
import { Notice } from '../notice.js';
import { Part } from '../part.js';
import { ProblemNotice } from '../problem-notice.js';
import { useFocusOn } from '../use-focus-on.js';
import { DeleteProviderKey } from './delete-provider-key.js';
import { ownKeysWords } from './own-keys-words.js';
import { StoreProviderKey } from './store-provider-key.js';
import { vendorNames } from './vendor-names.js';

/** Keys of one's own for the models: stored sealed, and never shown again but for their last characters. */
export function ProviderKeysPart() {
  const stored = useQuery(providerKeysQuery(useApi()));
  return (
    <Part id="provider-keys" title="Your own provider keys">
      {stored.isError ? (
        <ProblemNotice error={stored.error} onRetry={() => void stored.refetch()} />
      ) : stored.data === undefined ? (
        <Loading what="your provider keys" />
      ) : (
        <ProviderKeys keys={stored.data.provider_keys} />
      )}
    </Part>
  );
}

function ProviderKeys({ keys }: { keys: readonly ProviderKeyView[] }) {
  const { isReady, text } = ownKeysWords(keys.map(({ provider }) => provider));
  return (
    <>
      <Notice tone={isReady ? 'good' : 'plain'}>{text}</Notice>
      <table className="provider-keys">
        <caption>
          They are kept encrypted and used for your own reports only. Of a stored key nobody is ever shown
          more than the last four characters.
        </caption>
        <thead>
          <tr>
            <th scope="col">Provider</th>
            <th scope="col">Key</th>
            <th scope="col">
              <span className="unseen">Delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keyVendors.map(vendor => (
            <VendorLine
              key={vendor}
              vendor={vendor}
              stored={keys.find(({ provider }) => provider === vendor) ?? null}
            />
          ))}
        </tbody>
      </table>
      <StoreProviderKey />
    </>
  );
}

interface VendorLineProps {
  readonly vendor: ProviderKeyView['provider'];
  readonly stored: ProviderKeyView | null;
}

function VendorLine({ vendor, stored }: VendorLineProps) {
  const { name, runs } = vendorNames[vendor];
  const [deleted, setDeleted] = useState<ProviderKeyView | null>(null);
  const nameRef = useFocusOn<HTMLTableCellElement>(deleted);
  return (
    <tr>
      <th scope="row" ref={nameRef} tabIndex={-1}>
        {name} <span className="of muted">runs {runs}</span>
      </th>
      <td>
        {stored === null ? (
          <span className="muted">none</span>
        ) : (
          <>
            <code>…{stored.last4}</code> <span className="of muted">since {day(stored.updated_at)}</span>
          </>
        )}
      </td>
      <td className="act">
        {stored === null ? null : (
          <DeleteProviderKey vendor={vendor} name={name} onDeleted={() => setDeleted(stored)} />
        )}
      </td>
    </tr>
  );
}
