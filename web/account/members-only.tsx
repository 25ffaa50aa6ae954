import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useApi } from '../api/api.js';
import { sessionQuery } from '../api/private-queries.js';
import { Loading, ProblemNotice } from '../shared/notice.js';

interface MembersOnlyProps {
  /** Heading of the page for those who may not see what has one. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** What is shown to those who are signed in; the others are told where to do that, and come back here afterwards. */
export function MembersOnly({ title, children }: MembersOnlyProps) {
  const { pathname, search } = useLocation();
  const session = useQuery({ ...sessionQuery(useApi()), enabled: typeof document !== 'undefined' });
  const heading = title === undefined ? null : <h1>{title}</h1>;
  if (session.isError)
    return (
      <>
        {heading}
        <ProblemNotice error={session.error} onRetry={() => void session.refetch()} />
      </>
    );
  if (session.data === undefined)
    return (
      <>
        {heading}
        <Loading what="your account" />
        <noscript>
          This page needs JavaScript. The track record and the sample report can be read without.
        </noscript>
      </>
    );
  if (session.data !== null) return children;
  return (
    <>
      {heading}
      <p>
        <Link to={`/sign-in?${new URLSearchParams({ to: pathname + search })}`}>Sign in</Link> to see this
        page.
      </p>
    </>
  );
}
