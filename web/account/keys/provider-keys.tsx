import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { keyVendors } from '../../../contract/product.js';
import type { ProviderKeyView } from '../../../contract/provider-keys.js';
import { useApi } from '../../api/api.js';
import { providerKeysQuery } from '../../api/private-queries.js';
import { ConfirmDialog } from '../../shared/confirm-dialog.js';
import { day } from '../../shared/format.js';
import { useFocusOn } from '../../shared/hooks.js';
import { Loading, Notice, ProblemNotice } from '../../shared/notice.js';
import { Part } from '../../shared/part.js';
import { ownKeysWords, vendorNames } from './format-provider-keys.js';
import { StoreProviderKey } from './store-provider-key.js';

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

interface DeleteProviderKeyProps {
  readonly vendor: ProviderKeyView['provider'];
  readonly name: string;
  readonly onDeleted: () => void;
}

function DeleteProviderKey({ vendor, name, onDeleted }: DeleteProviderKeyProps) {
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
