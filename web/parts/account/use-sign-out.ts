import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { useApi } from '../../api/api-context.js';
import { sessionQuery } from '../../api/private-queries.js';

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
