import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { sessionQuery } from '../api/session-queries.js';
import { useHydrated } from '../shared/use-hydrated.js';

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
