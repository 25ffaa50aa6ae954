import type { DeliberationView, MarketGapReasonsView } from '../../../contract/deliberation.js';
import { gapAuthorText, gapNumbersText, lostGapText } from '../../../contract/report-text/gap-text.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { memberName, withNoBreak } from '../../shared/format.js';
import { Part } from '../../shared/part.js';

interface MarketGapPartProps {
  readonly runtime: Pick<RuntimeView, 'market_gap' | 'market_probabilities'>;
  readonly deliberation: Pick<DeliberationView, 'market_gap'>;
}

export const marketGapTitle = 'Why the market differs';

/** Where council and market are furthest apart, and what each may know that the other does not. */
export function MarketGapPart({ runtime, deliberation }: MarketGapPartProps) {
  const lost = lostGapText(runtime, deliberation);
  return (
    <Part id="market-gap" title={marketGapTitle}>
      <p>{withNoBreak(gapNumbersText(runtime) ?? '')}</p>
      {lost === null ? null : <p className="muted">{lost}</p>}
      {deliberation.market_gap === null ? null : <Reasons reasons={deliberation.market_gap} />}
    </Part>
  );
}

function Reasons({ reasons }: { reasons: MarketGapReasonsView }) {
  return (
    <>
      <div className="gap-reasons">
        <div>
          <h3>What the market may know</h3>
          <p className="as-written">{reasons.market_may_know}</p>
        </div>
        <div>
          <h3>What the council may know</h3>
          <p className="as-written">{reasons.council_may_know}</p>
        </div>
      </div>
      <p className="muted small">{gapAuthorText(reasons.model, memberName)}</p>
    </>
  );
}
