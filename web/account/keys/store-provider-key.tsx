import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { keyVendors } from '../../../contract/product.js';
import { useApi } from '../../api/api.js';
import { providerKeysQuery } from '../../api/private-queries.js';
import { ProblemNotice } from '../../shared/notice.js';
import { textIn } from '../../shared/read-input.js';
import { vendorNames } from './format-provider-keys.js';

const keyMinChars = 8;
const keyMaxChars = 400;

/** The key is in the field until it is stored, and nowhere on the page afterwards. */
export function StoreProviderKey() {
  const store = useStore();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    store.mutate(
      { name: textIn(fields, 'provider'), key: textIn(fields, 'key').trim() },
      { onSuccess: () => form.reset() },
    );
  };
  return (
    <form className="one-line" onSubmit={submit}>
      <label>
        Provider
        <select name="provider" required>
          {keyVendors.map(vendor => (
            <option key={vendor} value={vendor}>
              {vendorNames[vendor].name}
            </option>
          ))}
        </select>
      </label>
      <label className="grow">
        Key
        <input
          name="key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          minLength={keyMinChars}
          maxLength={keyMaxChars}
        />
      </label>
      <button className="button" type="submit" disabled={store.isPending}>
        Store
      </button>
      <div className="whole" role="status">
        {store.isSuccess
          ? `Stored the key that ends in ${store.data.last4}. A previous key of this provider was replaced.`
          : null}
      </div>
      {store.isError ? <ProblemNotice error={store.error} /> : null}
    </form>
  );
}

function useStore() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    // The variables of the mutation contain the key, so they must not outlive this form.
    gcTime: 0,
    mutationFn: ({ name, key }: { name: string; key: string }) => {
      const provider = keyVendors.find(vendor => vendor === name) ?? keyVendors[0];
      return api.request('PUT /api/provider-keys/{provider}', { path: { provider }, body: { key } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: providerKeysQuery(api).queryKey }),
  });
}
