import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import type { Api } from '../../api/api.js';
import { useApi } from '../../api/api-context.js';

export type Wish = 'sign-in' | 'sign-up';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Everything that was known of whoever was here before is forgotten; then on to where the visitor was going.
 * @param goal a path of this site
 */
export function useSignIn(wish: Wish, goal: string) {
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

function enter(api: Api, wish: Wish, { email, password }: Credentials) {
  const name = email.split('@')[0] ?? email;
  const body = wish === 'sign-up' ? { email, password, name } : { email, password };
  return api.send('POST', `/api/auth/${wish}/email`, z.unknown(), { body, as: 'nobody' });
}
