import { Link } from 'react-router';
import type { MarketSnapshotView, ReportView } from '../../../contract/reports.js';
import type { BetView, RuntimeView } from '../../../contract/runtime.js';
import { cents, percent, signed } from '../../shared/format.js';
import { Part } from '../../shared/part.js';
import { betTitle } from '../headline/format-verdict.js';
import { betSentence, edgeRule, moneyText, noBetReason, signedCents, yesSentence } from './format-bets.js';

interface BetsPartProps {
  readonly report: ReportView;
  readonly runtime: RuntimeView;
}

/** The bets with their arithmetic, or why there are none. */
export function BetsPart({ report, runtime }: BetsPartProps) {
  const { top_bets: bets } = runtime;
  const markets = report.market_snapshot?.markets ?? [];
  if (bets.length === 0) {
    return (
      <Part id="bets" title="Bets">
        <p>
          <strong>No bet is suggested.</strong> {noBetReason(runtime)}
        </p>
      </Part>
    );
  }
  return (
    <Part id="bets" title="Bets">
      <p>
        An <strong>edge</strong> claims that the price is wrong:{' '}
        {edgeRule(runtime.method.thresholds, runtime.degraded)}. A <strong>pick</strong> is the council’s
        favourite at a fair price, and claims no more than that. Best first; at the prices of the report,
        which <Link to={eventPath(report)}>have moved since</Link>.
      </p>
      <ol className="bets">
        {bets.map(bet => (
          <li key={bet.slug + bet.side} className="card">
            <Bet bet={bet} markets={markets} />
          </li>
        ))}
      </ol>
    </Part>
  );
}

const eventPath = (report: ReportView) => `/events/${encodeURIComponent(report.event_id)}`;

function Bet({ bet, markets }: { bet: BetView; markets: MarketSnapshotView['markets'] }) {
  return (
    <>
      <h3>
        {betTitle(bet, markets)}{' '}
        <span className={bet.kind === 'edge' ? 'pill good' : 'pill'}>{bet.kind}</span>
      </h3>
      <p>{betSentence(bet)}</p>
      <dl className="sums">
        <Sum name="Share cost" value={cents(bet.share_cost)} />
        <Sum name="Win probability" value={percent(bet.win_probability)} />
        <Sum name="Payout per $1" value={moneyText(bet.payout_per_dollar)} />
        <Sum name="Expected per $1" value={signedCents(bet.expected_return_per_dollar)} />
        <Sum name="Edge" value={`${signed(bet.edge_points)} points`} />
      </dl>
      <p className="muted small">{yesSentence(bet)}</p>
    </>
  );
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
