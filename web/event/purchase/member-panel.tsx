import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { CheckView } from '../../../contract/purchase.js';
import { useApi } from '../../api/api.js';
import { balanceQuery, type LaneOffer } from '../../api/private-queries.js';
import { credits } from '../../shared/format.js';
import { Loading, ProblemNotice } from '../../shared/notice.js';
import { buttonText, isCached, type Lane, shortOf } from './format-offer.js';
import { LaneChoice } from './lane-choice.js';
import { RunFailure } from './run-failure.js';
import { useOffers } from './use-offers.js';
import { useRun } from './use-run.js';

/** What a report costs this member on every lane, and the button that buys it. */
export function MemberPanel({ eventId }: { readonly eventId: string }) {
  const { offers, error, askAgain } = useOffers(eventId);
  const balance = useQuery(balanceQuery(useApi()));
  const failure = offers === null ? error : balance.data === undefined ? balance.error : null;
  const retry = () => {
    askAgain();
    void balance.refetch();
  };
  if (failure !== null) return <ProblemNotice error={failure} onRetry={retry} />;
  if (offers === null || balance.data === undefined) return <Loading what="the price" />;
  const owned = offers.find(({ check }) => check?.already_purchased === true)?.check?.report_id;
  if (owned !== undefined) return <Owned reportId={owned} />;
  return <Order eventId={eventId} offers={offers} balanceCredits={balance.data.balance_credits} />;
}

function Owned({ reportId }: { reportId: number }) {
  return (
    <>
      <p>You have a report of today on this event. Reading it costs nothing, and a second one is not made.</p>
      <p>
        <Link className="button" to={`/reports/${reportId}`}>
          Read your report
        </Link>
      </p>
    </>
  );
}

interface OrderProps {
  readonly eventId: string;
  readonly offers: readonly LaneOffer[];
  readonly balanceCredits: number;
}

function Order({ eventId, offers, balanceCredits }: OrderProps) {
  const [wanted, choose] = useState<Lane | null>(null);
  const run = useRun();
  const chosen = offers.find(({ lane }) => lane === wanted) ?? firstThatPays(offers, balanceCredits);
  const check = chosen?.check ?? null;
  return (
    <form
      className="order"
      onSubmit={event => {
        event.preventDefault();
        if (check === null || run.isPending) return;
        run.mutate({ event_id: eventId, quoted_credits: check.cost_credits, lane: check.lane });
      }}
    >
      {offers.some(offer => offer.check !== null && isCached(offer.check)) ? (
        <p className="note good">
          Half price: somebody has put this event before the council today, so the report is there at once.
        </p>
      ) : null}
      <LaneChoice
        offers={offers}
        chosen={chosen?.lane ?? null}
        onChoose={choose}
        balanceCredits={balanceCredits}
      />
      {check === null ? null : (
        <RunButton
          check={check}
          short={shortOf(check, balanceCredits)}
          isSending={run.isPending || run.isSuccess}
        />
      )}
      {run.isError ? <RunFailure error={run.error} /> : null}
    </form>
  );
}

/** Unless the member says otherwise: the first way that works and that can be paid; else the first that works. */
function firstThatPays(offers: readonly LaneOffer[], balanceCredits: number): LaneOffer | undefined {
  const working = offers.filter(({ check }) => check !== null);
  return working.find(({ check }) => check !== null && shortOf(check, balanceCredits) === 0) ?? working[0];
}

interface RunButtonProps {
  readonly check: CheckView;
  /** How many credits are missing. */
  readonly short: number;
  readonly isSending: boolean;
}

/** Says what it costs before it is pressed. */
function RunButton({ check, short, isSending }: RunButtonProps) {
  if (short > 0) {
    return (
      <p className="short">
        {credits(short)} are missing.{' '}
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
          ? 'It is there at once, the same as its first buyer has.'
          : 'A run takes a minute or two. Should it fail, you get back exactly what you paid.'}
      </small>
    </p>
  );
}
