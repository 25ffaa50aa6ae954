import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type MintedKeyView, mintedKeyShape } from '../../../contract/keys.js';
import { liveKeysPerAccount } from '../../../contract/product.js';
import { ApiProblem, useApi } from '../../api/api.js';
import { keysQuery } from '../../api/private-queries.js';
import { Notice, ProblemNotice } from '../../shared/notice.js';
import { textIn } from '../../shared/read-input.js';

const nameMaxChars = 100;

interface MintKeyProps {
  readonly onMinted: (minted: MintedKeyView) => void;
  /** After another key was made, so that the focus is not lost with what showed that one. */
  readonly isNext: boolean;
}

export function MintKey({ onMinted, isNext }: MintKeyProps) {
  const mint = useMint(onMinted);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mint.mutate(textIn(new FormData(event.currentTarget), 'name'));
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
          title="A name to tell your keys apart by"
          placeholder="laptop, nightly job, …"
        />
      </label>
      <button className="button" type="submit" disabled={mint.isPending}>
        Make key
      </button>
      {mint.isError ? <Failure error={mint.error} /> : null}
    </form>
  );
}

function Failure({ error }: { error: unknown }) {
  if (error instanceof ApiProblem && error.code === 'key_limit_reached') {
    return (
      <Notice tone="bad" title="No more keys.">
        An account holds at most {liveKeysPerAccount} at a time. Revoke one below that you do not use any
        more, and make this one then.
      </Notice>
    );
  }
  return <ProblemNotice error={error} />;
}

/** The key is handed on and not returned: what a mutation returns is kept in memory that other pages share. */
function useMint(onMinted: (minted: MintedKeyView) => void) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: async (name: string) => {
      onMinted(await api.send('POST', '/api/keys', mintedKeyShape, { body: { name } }));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery(api).queryKey }),
  });
}
