import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillingStatusView } from '../../../contract/billing.js';
import { isLive, subscriptionCachedUsdCents, subscriptionFreshUsdCents } from '../../../contract/product.js';
import { useApi } from '../../api/api.js';
import { billingStatusQuery } from '../../api/private-queries.js';
import { ConfirmDialog } from '../../shared/confirm-dialog.js';
import { day, dollars, grouped } from '../../shared/format.js';
import { useFocusOn } from '../../shared/hooks.js';
import { ProblemNotice } from '../../shared/notice.js';
import { Part } from '../../shared/part.js';
import { QueryResult } from '../../shared/query-result.js';
import { useCheckout, usePortal, useRefetchAfterCheckout } from './use-checkout.js';

/** Monthly billing per report, for programs. */
export function SubscriptionPart() {
  const query = useQuery({ ...billingStatusQuery(useApi()), refetchInterval: useRefetchAfterCheckout() });
  return (
    <Part id="subscription" title="Subscription for programs">
      <p>
        Reports bought with an API key are billed monthly instead of charged to credits:{' '}
        {dollars(subscriptionFreshUsdCents / 100)} for a fresh report,{' '}
        {dollars(subscriptionCachedUsdCents / 100)} for a cached one. Only delivered reports are billed.
      </p>
      <QueryResult query={query} what="your subscription">
        {billing =>
          billing.plan === 'subscription' ? (
            <Subscribed billing={billing} />
          ) : (
            <NotSubscribed billing={billing} />
          )
        }
      </QueryResult>
    </Part>
  );
}

function Subscribed({ billing }: { billing: BillingStatusView }) {
  const { period_start: from, period_end: to, usage, cancel_at_period_end: isEnding } = billing;
  const end = to === null ? 'the end of the period' : day(to);
  const [cancelled, setCancelled] = useState<true | null>(null);
  const noticeRef = useFocusOn<HTMLParagraphElement>(cancelled);
  return (
    <>
      <dl className="balances">
        <div>
          <dt>{isEnding ? `Ends on ${end}` : 'Active'}</dt>
          <dd className="large">{dollars(usage.amount_usd_cents / 100)}</dd>
          <dd className="muted">
            so far{from === null ? '' : ` since ${day(from)}`}: {grouped(usage.fresh_reports)} fresh and{' '}
            {grouped(usage.cached_reports)} cached reports.{' '}
            {isEnding ? 'This will be the last bill.' : `Billed on ${end}.`}
          </dd>
        </div>
      </dl>
      {billing.next_step !== null && <p>{billing.next_step}</p>}
      {isEnding ? (
        <p ref={noticeRef} tabIndex={-1}>
          The subscription is cancelled. It works until {end}; after that, reports cost credits again.
        </p>
      ) : billing.payments_configured ? (
        <>
          <OpenPortal />
          <CancelSubscription end={end} onCancelled={() => setCancelled(true)} />
        </>
      ) : (
        <p>Payments are no longer set up on this service, so you cannot change the subscription here.</p>
      )}
    </>
  );
}

function NotSubscribed({ billing: { status, payments_configured: canPay } }: { billing: BillingStatusView }) {
  const checkout = useCheckout();
  if (!canPay) return <p>Payments are not set up on this service, so you cannot subscribe here.</p>;
  return (
    <>
      {status === null ? null : <p>{lastStatusText(status)}</p>}
      {checkout.isError ? <ProblemNotice error={checkout.error} /> : null}
      {status !== null && isLive({ status }) ? (
        <OpenPortal />
      ) : (
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

/** Invoices and payment methods are the payment provider's. */
function OpenPortal() {
  const portal = usePortal();
  return (
    <>
      {portal.isError ? <ProblemNotice error={portal.error} /> : null}
      <button className="button" type="button" disabled={portal.isPending} onClick={() => portal.mutate()}>
        Invoices and payment method
      </button>
    </>
  );
}

/** @param status of the last subscription, as named by the payment provider */
function lastStatusText(status: string): string {
  switch (status) {
    case 'canceled':
      return 'Your last subscription has ended.';
    case 'past_due':
    case 'unpaid':
      return 'The last bill of your subscription is unpaid. Pay it to reactivate the subscription.';
    case 'paused':
      return 'Your subscription is paused, because its trial ended without a payment method. Add one to reactivate it.';
    case 'incomplete':
    case 'incomplete_expired':
      return 'Your last subscription did not start, because it was never paid for.';
    default:
      return `The payment provider lists your last subscription as “${status.replaceAll('_', ' ')}”.`;
  }
}

interface CancelSubscriptionProps {
  /** When the period ends, formatted. */
  readonly end: string;
  readonly onCancelled: () => void;
}

function CancelSubscription({ end, onCancelled }: CancelSubscriptionProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const cancel = useMutation({
    mutationFn: () => api.request('DELETE /api/billing/subscription', {}),
    onSuccess: status => {
      setOpen(false);
      onCancelled();
      queryClient.setQueryData(billingStatusQuery(api).queryKey, status);
    },
  });
  const open = () => {
    cancel.reset();
    setOpen(true);
  };
  return (
    <>
      <button className="button danger" type="button" onClick={open}>
        Cancel the subscription
      </button>
      {isOpen ? (
        <ConfirmDialog
          title="Cancel the subscription?"
          action="Cancel it"
          cancel="Keep it"
          isPending={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate()}
          onClose={() => setOpen(false)}
        >
          <p>It ends on {end}. You are billed for the reports delivered until then.</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
