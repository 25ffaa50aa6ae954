import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { quoteFrom } from '../../../client/spending-limit.js';
import { isCached } from '../../../contract/callers/price-text.js';
import type { CheckView } from '../../../contract/purchase.js';
import { accountBalanceQuery } from '../../account/use-session.js';
import { useApi } from '../../api/api.js';
import type { LaneOffer } from '../../api/private-queries.js';
import { creditsText } from '../../shared/format.js';
import { Loading, ProblemNotice } from '../../shared/notice.js';
import { buttonText, missingCredits, type OfferedLane } from './format-offer.js';
import { LaneChoice } from './lane-choice.js';
import { PurchaseFailure } from './purchase-failure.js';
import { useOffers } from './use-offers.js';
import { usePurchase } from './use-purchase.js';

/** What a report costs a member on every lane, and the button that buys it. */
export function MemberPanel({ eventId }: { readonly eventId: string }) {
  const { offers, error, refetch } = useOffers(eventId);
  const balance = useQuery(accountBalanceQuery(useApi()));
  const failure = offers === null ? error : balance.data === undefined ? balance.error : null;
  const retry = () => {
    refetch();
    void balance.refetch();
  };
  if (failure !== null) return <ProblemNotice error={failure} onRetry={retry} />;
  if (offers === null || balance.data === undefined) return <Loading what="the price" />;
  const owned = offers.find(({ check }) => check?.already_purchased === true)?.check?.report_id;
  if (owned !== undefined) return <AlreadyPurchased reportId={owned} />;
  return <PurchaseForm eventId={eventId} offers={offers} balanceCredits={balance.data.balance_credits} />;
}

function AlreadyPurchased({ reportId }: { reportId: number }) {
  return (
    <>
      <p>You already bought today’s report on this event. You can read it at no charge.</p>
      <p>
        <Link className="button" to={`/reports/${reportId}`}>
          Read your report
        </Link>
      </p>
    </>
  );
}

interface PurchaseFormProps {
  readonly eventId: string;
  readonly offers: readonly LaneOffer[];
  readonly balanceCredits: number;
}

function PurchaseForm({ eventId, offers, balanceCredits }: PurchaseFormProps) {
  const [chosenLane, choose] = useState<OfferedLane | null>(null);
  const purchase = usePurchase();
  const chosen = offers.find(({ lane }) => lane === chosenLane) ?? defaultOffer(offers, balanceCredits);
  const check = chosen?.check ?? null;
  return (
    <form
      className="purchase-form"
      onSubmit={event => {
        event.preventDefault();
        if (check === null || purchase.isPending) return;
        purchase.mutate({ event_id: eventId, ...quoteFrom(check) });
      }}
    >
      {offers.some(offer => offer.check !== null && isCached(offer.check)) ? (
        <p className="note good">
          Half price: a report on this event was already run today, so you get it at once.
        </p>
      ) : null}
      <LaneChoice
        offers={offers}
        chosen={chosen?.lane ?? null}
        onChoose={choose}
        balanceCredits={balanceCredits}
      />
      {check === null ? null : (
        <PurchaseButton
          check={check}
          missing={missingCredits(check, balanceCredits)}
          isSending={purchase.isPending || purchase.isSuccess}
        />
      )}
      {purchase.isError ? <PurchaseFailure error={purchase.error} /> : null}
    </form>
  );
}

/** The first lane that is set up and affordable; otherwise the first that is set up. */
function defaultOffer(offers: readonly LaneOffer[], balanceCredits: number): LaneOffer | undefined {
  const usable = offers.filter(({ check }) => check !== null);
  const affordable = usable.find(
    ({ check }) => check !== null && missingCredits(check, balanceCredits) === 0,
  );
  return affordable ?? usable[0];
}

interface PurchaseButtonProps {
  readonly check: CheckView;
  /** Credits missing from the balance. */
  readonly missing: number;
  readonly isSending: boolean;
}

/** A subscription is billed on delivery, so that a failed run has nothing to refund. */
function failureText({ lane }: CheckView): string {
  return lane === 'subscription' ? 'nothing is billed.' : 'your charge is refunded in full.';
}

/** States the price, because pressing it charges. */
function PurchaseButton({ check, missing, isSending }: PurchaseButtonProps) {
  if (missing > 0) {
    return (
      <p className="missing-credits">
        You are {creditsText(missing)} short.{' '}
        <Link className="button" to="/account#buy">
          Buy credits
        </Link>
      </p>
    );
  }
  return (
    <p className="run">
      <button className="button" type="submit" disabled={isSending} aria-describedby="run-note">
        {isSending ? 'Sending …' : buttonText(check)}
      </button>
      <small id="run-note" className="muted">
        {isCached(check)
          ? 'Available at once. It is the same report that its first buyer received.'
          : `A run takes one or two minutes. If it fails, ${failureText(check)}`}
      </small>
    </p>
  );
}
