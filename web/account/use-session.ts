import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { sessionQuery } from '../api/session-queries.js';

/** Who is signed in: null for nobody, undefined until it is known. Not loaded on the server. */
export function useSession() {
  return useQuery({ ...sessionQuery(useApi()), enabled: typeof document !== 'undefined' });
}
