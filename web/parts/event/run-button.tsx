import { Link } from 'react-router';
import type { CheckView } from '../../../contract/purchase.js';
import { credits } from '../format.js';
import { buttonText, isCached } from './offer-words.js';

interface RunButtonProps {
  readonly check: CheckView;
  /** How many credits are missing. */
  readonly short: number;
  readonly isSending: boolean;
}

/** Says what it costs before it is pressed. */
export function RunButton({ check, short, isSending }: RunButtonProps) {
  if (short > 0) {
    return (
      <p className="short">
        {credits(short)} are missing.{' '}
        <Link className="button" to="/account#buy">
          Buy credits
        </Link>
      </p>
    );
  }
  return (
    <p className="run">
      <button className="button" type="submit" disabled={isSending} aria-describedby="run-note">
        {isSending ? 'Sending …' : buttonText(check)}
      </button>
      <small id="run-note" className="muted">
        {isCached(check)
          ? 'It is there at once, the same as its first buyer has.'
          : 'A run takes a minute or two. Should it fail, you get back exactly what you paid.'}
      </small>
    </p>
  );
}
