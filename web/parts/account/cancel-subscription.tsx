import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { billingStatusShape } from '../../../contract/billing.js';
import { useApi } from '../../api/api-context.js';
import { billingStatusQuery } from '../../api/private-queries.js';
import { ConfirmDialog } from '../confirm-dialog.js';

interface CancelSubscriptionProps {
  /** When the period ends, in words. */
  readonly end: string;
  readonly onCancelled: () => void;
}

export function CancelSubscription({ end, onCancelled }: CancelSubscriptionProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: () => api.send('DELETE', '/api/billing/subscription', billingStatusShape),
    onSuccess: status => {
      setAsking(false);
      onCancelled();
      queryClient.setQueryData(billingStatusQuery(api).queryKey, status);
    },
  });
  const ask = () => {
    cancel.reset();
    setAsking(true);
  };
  return (
    <>
      <button className="button danger" type="button" onClick={ask}>
        Cancel the subscription
      </button>
      {isAsking ? (
        <ConfirmDialog
          title="Cancel the subscription?"
          action="Cancel it"
          otherwise="Keep it"
          isPending={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>It goes on until {end} and ends then. What you have used by then is billed.</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
