import { useQuery } from '@tanstack/react-query';
import type { BalanceView } from '../../../contract/credits.js';
import { useApi } from '../../api/api.js';
import { grouped, minute } from '../../shared/format.js';
import { Notice } from '../../shared/notice.js';
import { Part } from '../../shared/part.js';
import { QueryResult } from '../../shared/query-result.js';
import { accountBalanceQuery } from '../use-session.js';
import { VerifyAddress } from '../verify-address.js';
import { useRefetchAfterCheckout } from './use-checkout.js';

/** Credits, and the free report of the week. */
export function BalancePart() {
  const query = useQuery({ ...accountBalanceQuery(useApi()), refetchInterval: useRefetchAfterCheckout() });
  return (
    <Part id="balance" title="Balance">
      <QueryResult query={query} what="your balance">
        {balance => <Balance balance={balance} />}
      </QueryResult>
    </Part>
  );
}

function Balance({ balance }: { balance: BalanceView }) {
  return (
    <>
      <Owed credits={balance.owed_credits} />
      {balance.weekly_grant.needs_verified_email ? <VerifyAddress /> : null}
      <Pools balance={balance} />
    </>
  );
}

function Pools({
  balance: { balance_credits: credits, owed_credits: owed, weekly_grant: grant },
}: {
  balance: BalanceView;
}) {
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
        <dd className="large">{grantState(grant, owed)}</dd>
        <dd className="muted">
          {grant.available
            ? `Worth ${grouped(price)} credits now. It pays for your next fresh report, before your credits do, and is replaced by a new one on ${minute(grant.resets_at)}.`
            : owed > 0
              ? 'It is available again when you owe no credits.'
              : grant.needs_verified_email
                ? 'It is available when your e-mail address is confirmed.'
                : `The next one is available from ${minute(grant.resets_at)}.`}
        </dd>
      </div>
    </dl>
  );
}

function grantState(grant: BalanceView['weekly_grant'], owed: number): string {
  if (grant.available) return 'Available';
  if (owed > 0) return 'Paused';
  return grant.needs_verified_email ? 'Waits' : 'Used';
}

function Owed({ credits }: { credits: number }) {
  return credits === 0 ? null : (
    <Notice tone="warn" title={`You owe ${grouped(credits)} credits.`}>
      A payment was refunded or disputed after its credits had been spent. The next credits you buy settle
      this debt first. Until then, neither credits nor the free report of the week pay for reports.
    </Notice>
  );
}
