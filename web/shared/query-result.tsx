import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading, ProblemNotice } from './notice.js';

interface QueryResultProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** What is loading: "your reports". */
  readonly what: string;
  /** Keeps showing what was loaded before when a later request fails. */
  readonly keepData?: boolean;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the data of a query, or that it is loading, or why it failed with a button to try again. */
export function QueryResult<Data>({ query, what, keepData = false, children }: QueryResultProps<Data>) {
  if (query.isError && !(keepData && query.data !== undefined)) {
    return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  }
  return query.data === undefined ? <Loading what={what} /> : children(query.data);
}
