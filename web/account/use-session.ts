import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Api, useApi } from '../api/api.js';
import { useHydrated } from '../shared/read-input.js';

/**
 * Who is signed in: null for nobody, undefined until it is known. Not loaded on the server.
 *
 * React takes the header over first, whose request may be answered before React gets to the rest of the page. The rest
 * has to begin as the server rendered it, without a session, or React discards what it finds and reports an error.
 */
export function useSession() {
  const isHydrated = useHydrated();
  const query = sessionQuery(useApi());
  return useQuery(isHydrated ? query : { ...query, queryKey: notKnownYet, enabled: false });
}

const notKnownYet = ['private', 'session', 'not known yet'];

/** The signed-in user, or null. Only what the pages show of the session is kept. */
export const sessionQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'session'],
    queryFn: async ({ signal }) => {
      const session = await api.request('GET /api/auth/get-session', { signal, as: 'nobody' });
      return session === null ? null : { email: session.user.email };
    },
  });

/** The credits that the header of every page shows of a signed-in user. */
export const accountBalanceQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'balance'],
    queryFn: ({ signal }) => api.request('GET /api/credits/balance', { signal }),
  });
