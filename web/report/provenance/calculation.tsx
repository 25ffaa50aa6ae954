import { confidenceText } from '../../../contract/report-text/confidence-text.js';
import { estimateFormula, formulaTerms } from '../../../contract/report-text/estimate-text.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { withNoBreak } from '../../shared/format.js';
import { edgeRule, pickRule } from '../bets/format-bets.js';

type Estimate = NonNullable<RuntimeView['estimate']>;
type Thresholds = RuntimeView['method']['thresholds'];

/** How the numbers of the report follow from the forecasts and the prices. */
export function Calculation({ runtime }: { readonly runtime: RuntimeView }) {
  const { estimate, method, degraded } = runtime;
  return (
    <div className="calculation">
      {estimate === null ? null : <EstimateFormula estimate={estimate} thresholds={method.thresholds} />}
      <p>
        {confidenceText(method)} Models make the same mistakes, so even four models that agree are not
        certain.
      </p>
      <div>
        <h3>Edge and pick</h3>
        <p>
          Bets are priced by the estimate. An <strong>edge</strong> means that the price looks wrong:{' '}
          {edgeRule(method.thresholds, degraded)}. A <strong>pick</strong> is the council’s favourite at a
          fair price{pickRule(method.thresholds)}; it claims nothing else.
        </p>
      </div>
    </div>
  );
}

interface EstimateFormulaProps {
  readonly estimate: Estimate;
  readonly thresholds: Thresholds;
}

function EstimateFormula({ estimate, thresholds }: EstimateFormulaProps) {
  return (
    <div>
      <h3 id="estimate">Estimate</h3>
      <p>
        <code>{estimateFormula(estimate, thresholds)}</code>
      </p>
      <p>{withNoBreak(formulaTerms(estimate))}</p>
      <p>
        The weights, {estimate.weights.id}, were learnt from resolved questions before this report was made,
        and are the same for every outcome. The report keeps their hash, so a later change of them would show.
      </p>
      <dl className="provenance">
        <dt>Formula</dt>
        <dd>{estimate.method}</dd>
        <dt>Weights, SHA-256</dt>
        <dd>
          <code>{estimate.weights.sha256}</code>
        </dd>
      </dl>
    </div>
  );
}
