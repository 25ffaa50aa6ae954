import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { MintedKeyView, SentNewKey } from '../../../contract/keys.js';
import { liveKeysPerAccount } from '../../../contract/product.js';
import { CouncilProblem, useApi } from '../../api/api.js';
import { keysQuery } from '../../api/private-queries.js';
import { Notice, ProblemNotice } from '../../shared/notice.js';
import { newKeyIn } from './key-limits.js';

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
    creation.mutate(newKeyIn(new FormData(event.currentTarget)));
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
      <label>
        It may
        <select name="scope" defaultValue="spend">
          <option value="spend">read and buy</option>
          <option value="read">only read</option>
        </select>
      </label>
      <label>
        Works until
        <input name="expires_on" type="date" title="The key works on this day for the last time (UTC)" />
      </label>
      <label>
        Credits a day
        <input name="max_credits_per_day" type="number" min={1} step={1} placeholder="no limit" />
      </label>
      <button className="button" type="submit" disabled={creation.isPending}>
        Create key
      </button>
      <p className="whole small muted">
        Without a day the key works until you revoke it. Limits cannot be changed later: create another key
        instead.
      </p>
      {creation.isError ? <Failure error={creation.error} /> : null}
    </form>
  );
}

function Failure({ error }: { error: unknown }) {
  if (error instanceof CouncilProblem && error.code === 'key_limit_reached') {
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
    mutationFn: async (body: SentNewKey) => {
      onCreated(await api.request('POST /api/keys', { body }));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery(api).queryKey }),
  });
}
