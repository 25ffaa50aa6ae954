import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { MembersOnly } from '../account/members-only.js';
import { accountBalanceQuery } from '../account/use-session.js';
import { CouncilProblem, useApi } from '../api/api.js';
import type { PageProps } from '../app/lazy-page.js';
import { Batch } from '../batches/batch.js';
import { batchQuery } from '../batches/batch-queries.js';
import { batchTitle, isBatchId } from '../batches/format-batches.js';
import { pageTitle } from '../shared/format.js';
import { useTitle } from '../shared/hooks.js';
import { Missing } from '../shared/notice.js';
import { QueryResult } from '../shared/query-result.js';
import { StaleNotice } from '../shared/stale-notice.js';

/** One of the account's own batches. */
export function BatchPage({ parameters: { id = '' } }: PageProps) {
  if (!isBatchId(id)) return <NotFound />;
  return (
    <div className="account">
      <MembersOnly title="Batch">
        <OwnBatch key={id} id={id} />
      </MembersOnly>
    </div>
  );
}

function OwnBatch({ id }: { id: string }) {
  const query = useQuery(batchQuery(useApi(), id));
  useFreshBalance(query.data?.batch.credits.spent);
  useTitle(query.data === undefined ? undefined : pageTitle(batchTitle(query.data.batch)));
  if (query.data === undefined && query.error instanceof CouncilProblem && query.error.code === 'not_found') {
    return <NotFound />;
  }
  return (
    <QueryResult query={query} what="the batch" keepData>
      {({ batch }) => (
        <>
          <StaleNotice query={query} />
          <Batch batch={batch} />
        </>
      )}
    </QueryResult>
  );
}

/** The header shows what is left after each purchase of the batch. */
function useFreshBalance(spent: number | undefined): void {
  const api = useApi();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (spent !== undefined)
      void queryClient.invalidateQueries({ queryKey: accountBalanceQuery(api).queryKey });
  }, [api, queryClient, spent]);
}

function NotFound() {
  return <Missing what="batch">A batch is visible only to the account that created it.</Missing>;
}
