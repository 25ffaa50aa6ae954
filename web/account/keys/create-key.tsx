import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { MintedKeyView } from '../../../contract/keys.js';
import { liveKeysPerAccount } from '../../../contract/product.js';
import { ApiProblem, useApi } from '../../api/api.js';
import { keysQuery } from '../../api/private-queries.js';
import { Notice, ProblemNotice } from '../../shared/notice.js';
import { textIn } from '../../shared/read-input.js';

const nameMaxChars = 100;

interface CreateKeyProps {
  readonly onCreated: (created: MintedKeyView) => void;
  /** Focuses the field after a key was created, because the element that had the focus is gone. */
  readonly isNext: boolean;
}

export function CreateKey({ onCreated, isNext }: CreateKeyProps) {
  const creation = useCreateKey(onCreated);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    creation.mutate(textIn(new FormData(event.currentTarget), 'name'));
  };
  return (
    <form className="one-line" onSubmit={submit}>
      <label className="grow">
        Name of the new key
        <input
          name="name"
          type="text"
          autoComplete="off"
          autoFocus={isNext}
          required
          maxLength={nameMaxChars}
          pattern=".*\S.*"
          title="A name that tells your keys apart"
          placeholder="laptop, nightly job, …"
        />
      </label>
      <button className="button" type="submit" disabled={creation.isPending}>
        Create key
      </button>
      {creation.isError ? <Failure error={creation.error} /> : null}
    </form>
  );
}

function Failure({ error }: { error: unknown }) {
  if (error instanceof ApiProblem && error.code === 'key_limit_reached') {
    return (
      <Notice tone="bad" title="Key limit reached.">
        An account can have at most {liveKeysPerAccount} live keys. Revoke one that you no longer use, then
        try again.
      </Notice>
    );
  }
  return <ProblemNotice error={error} />;
}

/** Passes the key on instead of returning it: the cache of mutations is shared by all pages. */
function useCreateKey(onCreated: (created: MintedKeyView) => void) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: async (name: string) => {
      onCreated(await api.request('POST /api/keys', { body: { name } }));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery(api).queryKey }),
  });
}
