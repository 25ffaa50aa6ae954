import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Api, useApi } from '../api/api.js';
import { sessionQuery } from './use-session.js';

export type SignInMode = 'sign-in' | 'sign-up';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Signs in or creates an account, discards the private data of any previous session, and goes to `target`. Its data is
 * false if nobody is signed in afterwards, because the address of a new account is in use.
 * @param target a path of this site
 */
export function useSignIn(mode: SignInMode, target: string) {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    // The variables of the mutation contain the password, so they must not outlive the page.
    gcTime: 0,
    mutationFn: (credentials: Credentials) => signIn(api, mode, credentials),
    onSuccess: async isSignedIn => {
      await queryClient.resetQueries({ queryKey: ['private'] });
      if (isSignedIn) await navigate(target, { replace: true });
    },
  });
}

/** @returns whether there is a session now */
async function signIn(api: Api, mode: SignInMode, { email, password }: Credentials): Promise<boolean> {
  if (mode === 'sign-in') {
    await api.request('POST /api/auth/sign-in/email', { body: { email, password }, as: 'nobody' });
    return true;
  }
  const name = email.split('@')[0] ?? email;
  await api.request('POST /api/auth/sign-up/email', { body: { email, password, name }, as: 'nobody' });
  return (await api.request('GET /api/auth/get-session', { as: 'nobody' })) !== null;
}

/** Ends the session and removes its private data from the cache. */
export function useSignOut() {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    gcTime: 0,
    mutationFn: () => api.request('POST /api/auth/sign-out', { as: 'nobody' }),
    onSuccess: async () => {
      const { queryKey: session } = sessionQuery(api);
      // Clears the session first: components that show private data unmount and do not refetch it.
      queryClient.setQueryData(session, null);
      for (const query of queryClient.getQueryCache().findAll({ queryKey: ['private'] })) {
        if (query.queryKey[1] === session[1]) continue;
        // Resets it first, because a query that is still observed outlives its removal for a while.
        query.reset();
        queryClient.getQueryCache().remove(query);
      }
      await navigate('/');
    },
  });
}
