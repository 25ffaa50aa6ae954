import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyVendors } from '../../../contract/product.js';
import type { ProviderKeyView } from '../../../contract/provider-keys.js';
import { useApi } from '../../api/api.js';
import { providerKeysQuery } from '../../api/private-queries.js';
import { ConfirmDialog } from '../../shared/confirm-dialog.js';
import { day } from '../../shared/format.js';
import { useFocusOn } from '../../shared/hooks.js';
import { Notice } from '../../shared/notice.js';
import { Part } from '../../shared/part.js';
import { QueryResult } from '../../shared/query-result.js';
import { TableHead } from '../../shared/table-head.js';
import { ownKeysText, vendorNames } from './format-provider-keys.js';
import { StoreProviderKey } from './store-provider-key.js';

/** The member's own keys for the models. Only their last characters are shown again. */
export function ProviderKeysPart() {
  const query = useQuery(providerKeysQuery(useApi()));
  return (
    <Part id="provider-keys" title="Your own provider keys">
      <QueryResult query={query} what="your provider keys">
        {stored => <ProviderKeys keys={stored.provider_keys} />}
      </QueryResult>
    </Part>
  );
}

function ProviderKeys({ keys }: { keys: readonly ProviderKeyView[] }) {
  const { isReady, text } = ownKeysText(keys.map(({ provider }) => provider));
  return (
    <>
      <Notice tone={isReady ? 'good' : 'plain'}>{text}</Notice>
      <table className="provider-keys">
        <caption>
          Keys are stored encrypted and used only for your own reports. Only the last four characters are ever
          shown.
        </caption>
        <TableHead
          texts={[
            'Provider',
            'Key',
            <span key="delete" className="unseen">
              Delete
            </span>,
          ]}
        />
        <tbody>
          {keyVendors.map(vendor => (
            <VendorRow
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

interface VendorRowProps {
  readonly vendor: ProviderKeyView['provider'];
  readonly stored: ProviderKeyView | null;
}

function VendorRow({ vendor, stored }: VendorRowProps) {
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
  const [isOpen, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.request('DELETE /api/provider-keys/{provider}', { path: { provider: vendor } }),
    onSuccess: async () => {
      setOpen(false);
      onDeleted();
      await queryClient.invalidateQueries({ queryKey: providerKeysQuery(api).queryKey });
    },
  });
  const open = () => {
    remove.reset();
    setOpen(true);
  };
  return (
    <>
      <button className="button danger small" type="button" onClick={open}>
        Delete<span className="unseen"> the {name} key</span>
      </button>
      {isOpen ? (
        <ConfirmDialog
          title={`Delete your ${name} key?`}
          action="Delete it"
          cancel="Keep it"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setOpen(false)}
        >
          <p>
            It is deleted at once. If one of your reports is running, models that have not been asked yet drop
            out of it. You can store a key again at any time.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
