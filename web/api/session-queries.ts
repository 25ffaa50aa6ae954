import { queryOptions } from '@tanstack/react-query';
import type { Api } from './api.js';

/** What the header of every page shows of a signed-in user. */

/** The signed-in user, or null. Only what the pages show of the session is kept. */
export const sessionQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'session'],
    queryFn: async ({ signal }) => {
      const session = await api.request('GET /api/auth/get-session', { signal, as: 'nobody' });
      return session === null ? null : { email: session.user.email };
    },
  });

export const accountBalanceQuery = (api: Api) =>
  queryOptions({
    queryKey: ['private', 'balance'],
    queryFn: ({ signal }) => api.request('GET /api/credits/balance', { signal }),
  });
