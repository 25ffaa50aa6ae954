import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { sessionQuery } from '../api/private-queries.js';
import { ProblemNotice } from '../shared/notice.js';
import { useSignOut } from './use-sign-in.js';

/** Who is signed in, and the way out. */
export function Who() {
  const { data } = useQuery(sessionQuery(useApi()));
  const signOut = useSignOut();
  return (
    <div className="who">
      <p>
        Signed in as <strong>{data?.user.email}</strong>
      </p>
      <button
        className="button quiet small"
        type="button"
        disabled={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        Sign out
      </button>
      {signOut.isError ? <ProblemNotice error={signOut.error} /> : null}
    </div>
  );
}
