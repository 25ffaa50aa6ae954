import { Link } from 'react-router';
import type { LaneOffer } from '../../api/private-queries.js';
import { credits } from '../../shared/format.js';
import { gapOf, type Lane, laneNames, priceOf, sourceOf } from './format-offer.js';

interface LaneChoiceProps {
  readonly offers: readonly LaneOffer[];
  readonly chosen: Lane | null;
  readonly onChoose: (lane: Lane) => void;
  readonly balanceCredits: number;
}

/** The ways to pay, with what each costs; those that cannot be used say what is missing. */
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
  const { lane, check, missing } = offer;
  if (check === null) {
    return (
      <>
        {gapOf(lane, missing)}{' '}
        {lane === 'byok' ? (
          <Link to="/account#provider-keys">Store your keys</Link>
        ) : (
          <Link to="/account#subscription">Start one</Link>
        )}
      </>
    );
  }
  const balance = check.pool === 'purchased' ? ` You have ${credits(balanceCredits)}.` : '';
  return `${sourceOf(check)}${balance}`;
}
