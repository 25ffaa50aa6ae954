import { Link } from 'react-router';
import type { LaneOffer } from '../../api/private-queries.js';
import { creditsText } from '../../shared/format.js';
import {
  houseLimitText,
  laneNames,
  missingSetupText,
  type OfferedLane,
  paymentText,
  priceOf,
} from './format-offer.js';

interface LaneChoiceProps {
  readonly offers: readonly LaneOffer[];
  readonly chosen: OfferedLane | null;
  readonly onChoose: (lane: OfferedLane) => void;
  readonly balanceCredits: number;
}

/** The ways to pay with their prices. A lane that cannot be used says why. */
export function LaneChoice({ offers, chosen, onChoose, balanceCredits }: LaneChoiceProps) {
  return (
    <fieldset className="lanes">
      <legend>Pay with</legend>
      {offers.map(offer => (
        <div key={offer.lane} className={offer.check === null ? 'lane closed' : 'lane'}>
          <input
            type="radio"
            id={`lane-${offer.lane}`}
            name="lane"
            value={offer.lane}
            checked={offer.lane === chosen}
            disabled={offer.check === null}
            aria-describedby={`lane-${offer.lane}-note`}
            onChange={() => onChoose(offer.lane)}
          />
          <label htmlFor={`lane-${offer.lane}`}>
            {laneNames[offer.lane]}
            {offer.check === null ? null : <span className="number">{priceOf(offer.check)}</span>}
          </label>
          <p id={`lane-${offer.lane}-note`}>
            <LaneNote offer={offer} balanceCredits={balanceCredits} />
          </p>
        </div>
      ))}
    </fieldset>
  );
}

function LaneNote({ offer, balanceCredits }: { offer: LaneOffer; balanceCredits: number }) {
  const { lane, check, missing, reopensInSeconds } = offer;
  if (reopensInSeconds !== null) return houseLimitText(reopensInSeconds);
  if (check === null) {
    return (
      <>
        {missingSetupText(lane, missing)}{' '}
        {lane === 'byok' ? (
          <Link to="/account#provider-keys">Add your keys</Link>
        ) : (
          <Link to="/account#subscription">Subscribe</Link>
        )}
      </>
    );
  }
  const balance = check.pool === 'purchased' ? ` You have ${creditsText(balanceCredits)}.` : '';
  return `${paymentText(check)}${balance}`;
}
