import { Link } from 'react-router';
import type { MarketSnapshotView } from '../../../contract/reports.js';
import type { BetView } from '../../../contract/runtime.js';
import { cents, percentText, signed } from '../../shared/format.js';
import { Part } from '../../shared/part.js';
import { eventPath } from '../../shared/paths.js';
import type { ResultView } from '../completed-view.js';
import { betTitle } from '../headline/format-verdict.js';
import {
  betSentence,
  edgeRule,
  edgeSentence,
  moneyText,
  noBetReason,
  pickRule,
  signedCents,
} from './format-bets.js';

/** The suggested bets with their calculation, or the reason why there are none. */
export function BetsPart({ report, runtime }: ResultView) {
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
        Bets are priced by the estimate, not by the council’s own number, which is shown beside it. An{' '}
        <strong>edge</strong> means that the price looks wrong:{' '}
        {edgeRule(runtime.method.thresholds, runtime.degraded)}. A <strong>pick</strong> is the council’s
        favourite at a fair price{pickRule(runtime.method.thresholds)}; it claims nothing else. Best bet
        first, at the prices of the report;{' '}
        <Link to={eventPath(report.event_id)}>see the current prices</Link>.
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

interface BetProps {
  readonly bet: BetView;
  readonly markets: MarketSnapshotView['markets'];
}

function Bet({ bet, markets }: BetProps) {
  return (
    <>
      <h3>
        {betTitle(bet, markets)}{' '}
        <span className={bet.kind === 'edge' ? 'pill good' : 'pill'}>{bet.kind}</span>
      </h3>
      <p>{betSentence(bet)}</p>
      <dl className="sums">
        <Figure name="Share cost" value={cents(bet.share_cost)} />
        <Figure name="Win probability (estimate)" value={percentText(bet.win_probability)} />
        <Figure name="Payout per $1" value={moneyText(bet.payout_per_dollar)} />
        <Figure name="Expected return per $1" value={signedCents(bet.expected_return_per_dollar)} />
        <Figure name="Edge" value={`${signed(bet.edge_points)} points`} />
      </dl>
      <p className="muted small">{edgeSentence(bet)}</p>
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
