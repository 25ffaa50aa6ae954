import { Link } from 'react-router';
import { estimateFormula, estimateNotes, formulaTerms } from '../../../contract/report-text/estimate-text.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { withNoBreak } from '../../shared/format.js';

/** What limits the estimate, how it is calculated, and where its scores are. Without one, why. */
export function EstimateNotes({ runtime }: { readonly runtime: RuntimeView }) {
  const { estimate, method } = runtime;
  return (
    <>
      {estimateNotes(runtime).map(note => (
        <p key={note}>{note}</p>
      ))}
      <p>
        <Link to="/track-record#scores">How good each number has been</Link>: all are graded once the event is
        resolved.
      </p>
      {estimate === null ? null : (
        <details id="estimate">
          <summary>How the estimate is calculated</summary>
          <p>
            <code>{estimateFormula(estimate, method.thresholds)}</code>
          </p>
          <p>{withNoBreak(formulaTerms(estimate))}</p>
          <p>
            The weights were learnt from resolved questions before this report was made, and are the same for
            every outcome. The report keeps their name and hash, so a later change of them would show.
          </p>
          <dl className="provenance">
            <dt>Formula</dt>
            <dd>{estimate.method}</dd>
            <dt>Weights</dt>
            <dd>{estimate.weights.id}</dd>
            <dt>SHA-256</dt>
            <dd>
              <code>{estimate.weights.sha256}</code>
            </dd>
          </dl>
        </details>
      )}
    </>
  );
}
