import { useQuery } from '@tanstack/react-query';
import type { BalanceView } from '../../../contract/credits.js';
import { useApi } from '../../api/api.js';
import { balanceQuery, billingStatusQuery } from '../../api/private-queries.js';
import { grouped, minute } from '../../shared/format.js';
import { Notice } from '../../shared/notice.js';
import { Part } from '../../shared/part.js';
import { QueryResult } from '../../shared/query-result.js';
import { useRefetchAfterCheckout } from './use-checkout.js';

/** Credits, and the free report of the week. */
export function BalancePart() {
  const query = useQuery({ ...balanceQuery(useApi()), refetchInterval: useRefetchAfterCheckout() });
  return (
    <Part id="balance" title="Balance">
      <Owed />
      <QueryResult query={query} what="your balance">
        {balance => <Balance balance={balance} />}
      </QueryResult>
    </Part>
  );
}

function Balance({ balance: { balance_credits: credits, weekly_grant: grant } }: { balance: BalanceView }) {
  const price = grant.worth_credits;
  const reports = price > 0 ? Math.floor(Math.max(0, credits) / price) : 0;
  return (
    <dl className="balances">
      <div>
        <dt>Credits</dt>
        <dd className="large">{grouped(credits)}</dd>
        <dd className="muted">
          A fresh report costs {grouped(price)} credits now.{' '}
          {reports === 0
            ? 'Your balance is too low for one.'
            : `Enough for ${grouped(reports)} ${reports === 1 ? 'report' : 'reports'}.`}
        </dd>
      </div>
      <div>
        <dt>Free report this week</dt>
        <dd className="large">{grant.available ? 'Available' : 'Used'}</dd>
        <dd className="muted">
          {grant.available
            ? `Worth ${grouped(price)} credits now. It pays for your next fresh report, before your credits do, and is replaced by a new one on ${minute(grant.resets_at)}.`
            : `The next one is available from ${minute(grant.resets_at)}.`}
        </dd>
      </div>
    </dl>
  );
}

function Owed() {
  const owed = useQuery(billingStatusQuery(useApi())).data?.owed_credits ?? 0;
  return owed === 0 ? null : (
    <Notice tone="warn" title={`You owe ${grouped(owed)} credits.`}>
      A payment was refunded to you after its credits had been spent. The next credits you buy settle this
      debt first.
    </Notice>
  );
}
