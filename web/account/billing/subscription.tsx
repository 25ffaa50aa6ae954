import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BillingStatusView, billingStatusShape } from '../../../contract/billing.js';
import { isLive, subscriptionCachedUsdCents, subscriptionFreshUsdCents } from '../../../contract/product.js';
import { useApi } from '../../api/api.js';
import { billingStatusQuery } from '../../api/private-queries.js';
import { ConfirmDialog } from '../../shared/confirm-dialog.js';
import { day, dollars, grouped } from '../../shared/format.js';
import { useFocusOn } from '../../shared/hooks.js';
import { Loading, ProblemNotice } from '../../shared/notice.js';
import { Part } from '../../shared/part.js';
import { useCheckout, useRefetchAfterCheckout } from './use-checkout.js';

/** Paying by the report, for programs. */
export function SubscriptionPart() {
  const billing = useQuery({ ...billingStatusQuery(useApi()), refetchInterval: useRefetchAfterCheckout() });
  return (
    <Part id="subscription" title="Subscription for programs">
      <p>
        Reports asked for with an API key are put on a monthly bill instead of taking credits:{' '}
        {dollars(subscriptionFreshUsdCents / 100)} for a fresh one,{' '}
        {dollars(subscriptionCachedUsdCents / 100)} for one that was there already. Only what is delivered
        counts.
      </p>
      {billing.isError ? (
        <ProblemNotice error={billing.error} onRetry={() => void billing.refetch()} />
      ) : billing.data === undefined ? (
        <Loading what="your subscription" />
      ) : billing.data.plan === 'subscription' ? (
        <Subscribed billing={billing.data} />
      ) : (
        <NotSubscribed billing={billing.data} />
      )}
    </Part>
  );
}

function Subscribed({ billing }: { billing: BillingStatusView }) {
  const { period_start: from, period_end: to, usage, cancel_at_period_end: isEnding } = billing;
  const end = to === null ? 'the end of the period' : day(to);
  const [cancelled, setCancelled] = useState<true | null>(null);
  const saidRef = useFocusOn<HTMLParagraphElement>(cancelled);
  return (
    <>
      <dl className="purse">
        <div>
          <dt>{isEnding ? `Ends on ${end}` : 'Active'}</dt>
          <dd className="large">{dollars(usage.amount_usd_cents / 100)}</dd>
          <dd className="muted">
            so far{from === null ? '' : ` since ${day(from)}`}: {grouped(usage.fresh_reports)} fresh and{' '}
            {grouped(usage.cached_reports)} that were there already.{' '}
            {isEnding ? 'Billed then for the last time.' : `Billed on ${end}.`}
          </dd>
        </div>
      </dl>
      {isEnding ? (
        <p ref={saidRef} tabIndex={-1}>
          It is cancelled. Until {end} everything works as before; from then on reports take credits again.
        </p>
      ) : billing.payments_configured ? (
        <CancelSubscription end={end} onCancelled={() => setCancelled(true)} />
      ) : (
        <p>Payments are not set up on this service any more, so it cannot be changed here.</p>
      )}
    </>
  );
}

function NotSubscribed({ billing: { status, payments_configured: canPay } }: { billing: BillingStatusView }) {
  const checkout = useCheckout();
  if (!canPay) return <p>Payments are not set up on this service, so it cannot be taken out here.</p>;
  return (
    <>
      {status === null ? null : <p>{lastWords(status)}</p>}
      {checkout.isError ? <ProblemNotice error={checkout.error} /> : null}
      {status !== null && isLive({ status }) ? null : (
        <button
          className="button"
          type="button"
          disabled={checkout.isPending}
          onClick={() => checkout.mutate('subscription')}
        >
          Subscribe
        </button>
      )}
    </>
  );
}

/** @param status of the last subscription, in the words of the payment provider */
function lastWords(status: string): string {
  switch (status) {
    case 'canceled':
      return 'Your last subscription has ended.';
    case 'past_due':
    case 'unpaid':
      return 'The last bill of your subscription is unpaid. Pay it by the link in the payment provider’s e-mail, and it works again.';
    case 'incomplete':
    case 'incomplete_expired':
      return 'Your last subscription was never paid for, so it did not begin.';
    default:
      return `Your last subscription is ${status.replaceAll('_', ' ')}, in the payment provider’s words.`;
  }
}

interface CancelSubscriptionProps {
  /** When the period ends, in words. */
  readonly end: string;
  readonly onCancelled: () => void;
}

function CancelSubscription({ end, onCancelled }: CancelSubscriptionProps) {
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
