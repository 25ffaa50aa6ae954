import { useQuery } from '@tanstack/react-query';
import type { PackView } from '../../../contract/credits.js';
import { useApi } from '../../api/api.js';
import { billingStatusQuery, packsQuery } from '../../api/private-queries.js';
import { dollars, grouped } from '../../shared/format.js';
import { Loading, ProblemNotice } from '../../shared/notice.js';
import { Part } from '../../shared/part.js';
import { useCheckout } from './use-checkout.js';

/** Packs of credits, at fixed prices. */
export function PacksPart() {
  const api = useApi();
  const packs = useQuery(packsQuery(api));
  const billing = useQuery(billingStatusQuery(api));
  const failed = [packs, billing].find(query => query.isError);
  if (failed !== undefined) {
    return (
      <Part id="buy" title="Buy credits">
        <ProblemNotice error={failed.error} onRetry={() => void failed.refetch()} />
      </Part>
    );
  }
  const isKnown = packs.data !== undefined && billing.data !== undefined;
  return (
    <Part id="buy" title="Buy credits">
      {isKnown ? (
        <Packs packs={packs.data.packs} canPay={billing.data.payments_configured} />
      ) : (
        <Loading what="the prices" />
      )}
    </Part>
  );
}

function Packs({ packs, canPay }: { packs: readonly PackView[]; canPay: boolean }) {
  const checkout = useCheckout();
  return (
    <>
      <p>
        {canPay
          ? 'A one-time payment on the payment provider’s page. Credits do not expire, and a failed report is refunded.'
          : 'Payments are not set up on this service, so you cannot buy credits here. Its operator can grant you credits. The prices would be:'}
      </p>
      {checkout.isError ? <ProblemNotice error={checkout.error} /> : null}
      <ul className="packs">
        {packs.map(pack => (
          <li key={pack.id} className="card">
            <p className="large">
              {grouped(pack.credits)} <span className="unit">credits</span>
            </p>
            <p>
              <strong className="number">{dollars(pack.price_usd_cents / 100)}</strong>{' '}
              <span className="muted">{(pack.price_usd_cents / pack.credits).toFixed(2)} ¢ per credit</span>
            </p>
            {canPay ? (
              <button
                className="button"
                type="button"
                disabled={checkout.isPending}
                onClick={() => checkout.mutate(pack.id)}
              >
                Buy<span className="unseen"> {grouped(pack.credits)} credits</span>
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}
