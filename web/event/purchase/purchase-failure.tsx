import { Link } from 'react-router';
import { waitText } from '../../../contract/callers/wait-text.js';
import { CouncilProblem } from '../../api/api.js';
import { creditsText, dollars } from '../../shared/format.js';
import { Notice, ProblemNotice } from '../../shared/notice.js';

/** Why a purchase failed, and what to do about it. */
export function PurchaseFailure({ error }: { readonly error: unknown }) {
  if (!(error instanceof CouncilProblem)) return <ProblemNotice error={error} />;
  const { code, document } = error;
  if (code === 'quote_expired' && document?.cost_credits !== undefined) {
    return <NewPrice costCredits={document.cost_credits} usdCents={document.price_usd_cents} />;
  }
  if (code === 'run_limit_exceeded') {
    return (
      <Notice tone="warn" title="Too many runs this hour.">
        {error.message} You can run again {waitText(error.retryAfterSeconds ?? 0)}. Nothing was charged.
      </Notice>
    );
  }
  if (code === 'house_limit_reached') {
    return (
      <Notice tone="warn" title="No more fresh reports today.">
        {error.message} You can run one again {waitText(error.retryAfterSeconds ?? 0)}.
      </Notice>
    );
  }
  if (code === 'account_suspended') {
    return (
      <Notice tone="warn" title="Account suspended.">
        {error.message}
      </Notice>
    );
  }
  if (code === 'event_closed') {
    return (
      <Notice tone="warn" title="Event closed.">
        {error.message} Nothing was charged. <Link to="/">Search the open events</Link>
      </Notice>
    );
  }
  if (document === null) {
    return (
      <Notice tone="bad" title="No response.">
        It is unknown whether the purchase succeeded. Press the button again: the same purchase is never
        charged twice.
      </Notice>
    );
  }
  return <ProblemNotice error={error} />;
}

interface NewPriceProps {
  readonly costCredits: number;
  readonly usdCents: number | undefined;
}

function NewPrice({ costCredits, usdCents }: NewPriceProps) {
  return (
    <Notice tone="warn" title="The price has changed.">
      It is now {usdCents === undefined ? creditsText(costCredits) : dollars(usdCents / 100)}. Nothing was
      charged. The button shows the new price.
    </Notice>
  );
}
