import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { type Api, useApi } from '../api/api.js';
import { sessionQuery } from '../api/private-queries.js';

export type SignInMode = 'sign-in' | 'sign-up';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Everything that was known of whoever was here before is forgotten; then on to where the visitor was going.
 * @param goal a path of this site
 */
export function useSignIn(wish: SignInMode, goal: string) {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    // What was sent holds the password: it must not be kept when the page is left.
    gcTime: 0,
    mutationFn: (credentials: Credentials) => enter(api, wish, credentials),
    onSuccess: async () => {
      await queryClient.resetQueries({ queryKey: ['private'] });
      await navigate(goal, { replace: true });
    },
  });
}

function enter(api: Api, wish: SignInMode, { email, password }: Credentials) {
  const name = email.split('@')[0] ?? email;
  const body = wish === 'sign-up' ? { email, password, name } : { email, password };
  return api.send('POST', `/api/auth/${wish}/email`, z.unknown(), { body, as: 'nobody' });
}

/** Ends the session, and forgets everything that was known through it: nobody who comes next can go back to it. */
export function useSignOut() {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    gcTime: 0,
    mutationFn: () => api.send('POST', '/api/auth/sign-out', z.unknown(), { body: {}, as: 'nobody' }),
    onSuccess: async () => {
      const { queryKey: session } = sessionQuery(api);
      // First that nobody is signed in: whatever shows something private goes away, and asks for nothing again.
      queryClient.setQueryData(session, null);
      for (const query of queryClient.getQueryCache().findAll({ queryKey: ['private'] })) {
        if (query.queryKey[1] === session[1]) continue;
        // Emptied and not only removed: one that is still looked at would be kept for a while after its removal.
        query.reset();
        queryClient.getQueryCache().remove(query);
      }
      await navigate('/');
    },
  });
}
