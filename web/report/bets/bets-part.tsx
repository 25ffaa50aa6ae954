import { Link } from 'react-router';
import { stakeText } from '../../../contract/report-text/estimate-text.js';
import type { MarketSnapshotView } from '../../../contract/reports.js';
import type { BetView } from '../../../contract/runtime.js';
import { Fold } from '../../shared/fold.js';
import { cents, percentText, withNoBreak } from '../../shared/format.js';
import { Part } from '../../shared/part.js';
import { eventPath } from '../../shared/paths.js';
import type { ResultView } from '../completed-view.js';
import {
  betSentence,
  edgeSentence,
  noBetReason,
  signedCents,
  stakePercent,
  stakeSentence,
} from './format-bets.js';
import { betTitle } from './format-verdict.js';
import { Verdict } from './verdict.js';

/** The verdict on the queried market, then the suggested bets with their calculation, or why there are none. */
export function BetsPart({ report, runtime }: ResultView) {
  return (
    <Part id="bets" title="Verdict and bets">
      <Verdict report={report} runtime={runtime} />
      {runtime.top_bets.length === 0 ? (
        <p>
          <strong>No bet is suggested.</strong> {noBetReason(runtime)}
        </p>
      ) : (
        <Bets report={report} runtime={runtime} />
      )}
    </Part>
  );
}

function Bets({ report, runtime }: ResultView) {
  const markets = report.market_snapshot?.markets ?? [];
  return (
    <>
      <ol className="bets" aria-label="Bets, best first">
        {runtime.top_bets.map(bet => (
          <li key={bet.slug + bet.side}>
            <Bet bet={bet} markets={markets} />
          </li>
        ))}
      </ol>
      <p className="muted small">
        At the prices of the report; <Link to={eventPath(report.event_id)}>see the current prices</Link>.
        {runtime.top_bets.every(({ stake_fraction: stake }) => stake === null)
          ? ''
          : ` ${withNoBreak(stakeText)}`}
      </p>
      <Fold summary="How each bet is calculated" className="small bet-calculations">
        <p>
          An edge claims that the price is wrong. A pick claims nothing: it is the council’s favourite at a
          fair price.
        </p>
        <dl>
          {runtime.top_bets.map(bet => (
            <div key={bet.slug + bet.side}>
              <dt>{betTitle(bet, markets)}</dt>
              <dd>{[stakeSentence(bet), betSentence(bet), edgeSentence(bet)].join(' ').trim()}</dd>
            </div>
          ))}
        </dl>
      </Fold>
    </>
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
      <dl className="sums">
        {bet.stake_fraction === null ? null : (
          <Figure name="Stake" value={stakePercent(bet.stake_fraction)} />
        )}
        <Figure name="Share cost" value={cents(bet.share_cost)} />
        <Figure name="Wins with" value={percentText(bet.win_probability)} />
        <Figure name="Return per $1" value={signedCents(bet.expected_return_per_dollar)} />
      </dl>
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
