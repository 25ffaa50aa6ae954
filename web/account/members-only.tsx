import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { signInPath } from '../shared/paths.js';
import { QueryResult } from '../shared/query-result.js';
import { useSession } from './use-session.js';

interface MembersOnlyProps {
  /** Heading while the children, which have their own, are not shown. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** Shows its children to members, and to others a link to the sign-in that leads back here. */
export function MembersOnly({ title, children }: MembersOnlyProps) {
  const { pathname, search } = useLocation();
  const session = useSession();
  if (session.data != null && !session.isError) return children;
  return (
    <>
      {title === undefined ? null : <h1>{title}</h1>}
      <QueryResult query={session} what="your account">
        {() => (
          <p>
            <Link to={signInPath(pathname + search)}>Sign in</Link> to see this page.
          </p>
        )}
      </QueryResult>
      <noscript>
        This page needs JavaScript. You can read the track record and the sample report without it.
      </noscript>
    </>
  );
}
