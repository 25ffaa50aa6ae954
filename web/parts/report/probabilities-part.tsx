import type { ReportView } from '../../../contract/reports.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { Part } from '../part.js';
import { DistributionFigure } from './distribution-figure.js';
import { distributionRows } from './distribution-rows.js';
import { marketBasisText } from './market-basis-text.js';

interface ProbabilitiesPartProps {
  readonly report: ReportView;
  readonly runtime: RuntimeView;
}

/** What the council gives every outcome, beside what the market does. */
export function ProbabilitiesPart({ report, runtime }: ProbabilitiesPartProps) {
  return (
    <Part id="probabilities" title="Probabilities">
      <p>
        {runtime.exclusive
          ? 'Exactly one of these outcomes happens, so the council’s numbers add up to 100 %.'
          : 'These are questions of their own: several may come true, or none, so nothing adds up to 100 %.'}{' '}
        {marketBasisText(runtime)}
      </p>
      <DistributionFigure rows={distributionRows(report, runtime)} />
    </Part>
  );
}
