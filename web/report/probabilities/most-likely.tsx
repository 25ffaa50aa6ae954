import { shownNumbers } from '../../../contract/report-text/estimate-text.js';
import { leadingNumber } from '../../../contract/report-text/leading-number.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { numberTitles, otherFavouritesText, percentOrNone } from './distribution-rows.js';

/** The most likely outcome with its three numbers; the one that leads is the largest. */
export function MostLikely({ runtime }: { readonly runtime: RuntimeView }) {
  const { outcome, name: leading, why } = leadingNumber(runtime);
  const values = {
    estimate: runtime.estimate?.probabilities[outcome] ?? null,
    council: runtime.market_probabilities[outcome] ?? null,
    market: runtime.market_implied_probabilities[outcome] ?? null,
  };
  const numbers = shownNumbers(runtime).filter(name => name === leading || name !== 'estimate');
  const note = [why, otherFavouritesText(runtime)].filter(text => text !== null && text !== '').join(' ');
  return (
    <div className="most-likely">
      <p className="asked">Most likely{runtime.exclusive ? '' : ' of these questions'}</p>
      <p className="answer">{outcome}</p>
      <dl className="three-numbers">
        {numbers.map(name => (
          <div key={name} className={name === leading ? `${name} leading` : name}>
            <dt>{numberTitles[name]}</dt>
            <dd>{percentOrNone(values[name])}</dd>
          </div>
        ))}
      </dl>
      {note === '' ? null : <p className="muted small">{note}</p>}
    </div>
  );
}
