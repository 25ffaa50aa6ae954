import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useApi } from '../api/api.js';
import { sessionQuery } from '../api/private-queries.js';
import { QueryResult } from '../shared/query-result.js';

interface MembersOnlyProps {
  /** Heading while the children, which have their own, are not shown. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** Shows its children to members, and to others a link to the sign-in that leads back here. */
export function MembersOnly({ title, children }: MembersOnlyProps) {
  const { pathname, search } = useLocation();
  const session = useQuery({ ...sessionQuery(useApi()), enabled: typeof document !== 'undefined' });
  if (session.data != null && !session.isError) return children;
  return (
    <>
      {title === undefined ? null : <h1>{title}</h1>}
      <QueryResult query={session} what="your account">
        {() => (
          <p>
            <Link to={`/sign-in?${new URLSearchParams({ to: pathname + search })}`}>Sign in</Link> to see this
            page.
          </p>
        )}
      </QueryResult>
      <noscript>
        This page needs JavaScript. You can read the track record and the sample report without it.
      </noscript>
    </>
  );
}
