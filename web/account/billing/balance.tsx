import { useQuery } from '@tanstack/react-query';
import type { BalanceView } from '../../../contract/credits.js';
import { useApi } from '../../api/api.js';
import { balanceQuery, billingStatusQuery } from '../../api/private-queries.js';
import { grouped, minute } from '../../shared/format.js';
import { Loading, Notice, ProblemNotice } from '../../shared/notice.js';
import { Part } from '../../shared/part.js';
import { useRefetchAfterCheckout } from './use-checkout.js';

/** What there is to spend. */
export function BalancePart() {
  const balance = useQuery({ ...balanceQuery(useApi()), refetchInterval: useRefetchAfterCheckout() });
  return (
    <Part id="balance" title="To spend">
      <Owed />
      {balance.isError ? (
        <ProblemNotice error={balance.error} onRetry={() => void balance.refetch()} />
      ) : balance.data === undefined ? (
        <Loading what="your balance" />
      ) : (
        <Balance balance={balance.data} />
      )}
    </Part>
  );
}

function Balance({ balance: { balance_credits: credits, weekly_grant: grant } }: { balance: BalanceView }) {
  const reports = grant.worth_credits > 0 ? Math.floor(Math.max(0, credits) / grant.worth_credits) : 0;
  return (
    <dl className="purse">
      <div>
        <dt>Credits</dt>
        <dd className="large">{grouped(credits)}</dd>
        <dd className="muted">
          A fresh report costs {grouped(grant.worth_credits)} now:{' '}
          {reports === 0 ? 'more than there is' : `enough for ${grouped(reports)}`}.
        </dd>
      </div>
      <div>
        <dt>Free report of this week</dt>
        <dd className="large">{grant.available ? 'Available' : 'Used'}</dd>
        <dd className="muted">
          {grant.available
            ? `Worth ${grouped(grant.worth_credits)} credits now, and spent before them on your next fresh report. It lapses on ${minute(grant.resets_at)}, and a new one begins.`
            : `The next one begins on ${minute(grant.resets_at)}.`}
        </dd>
      </div>
    </dl>
  );
}

function Owed() {
  const owed = useQuery(billingStatusQuery(useApi())).data?.owed_credits ?? 0;
  return owed === 0 ? null : (
    <Notice tone="warn" title={`You owe ${grouped(owed)} credits.`}>
      A payment was given back to you after its credits had been spent. The next credits you buy settle this
      first.
    </Notice>
  );
}
