import type { ReportView } from '../../../contract/reports.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { percent, signed } from '../../shared/format.js';
import { Part } from '../../shared/part.js';
import { type DistributionRow, distributionRows, foldRows, marketBasisText } from './distribution-rows.js';
import { DotAxis, DotPlot, MarkOf } from './dot-plot.js';
import { axisFor, type PercentAxis } from './percent-axis.js';

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

/**
 * Every outcome with the council's number and the market's as marks on one axis, and the same numbers in a table: the plot
 * stands in the table, so nobody has to do without either.
 */
function DistributionFigure({ rows }: { readonly rows: readonly DistributionRow[] }) {
  const axis = axisFor(rows.flatMap(({ council, market, members }) => [council, market ?? 0, ...members]));
  const { shown, folded } = foldRows(rows);
  return (
    <figure className="distribution">
      <figcaption>
        <span>
          <MarkOf who="council" /> council
        </span>
        <span>
          <MarkOf who="market" /> market
        </span>
        <span>
          <MarkOf who="member" /> each member’s final forecast
        </span>
      </figcaption>
      <DistributionTable caption="Council and market, in percent" rows={shown} axis={axis} />
      {folded.length === 0 ? null : (
        <details className="more">
          <summary>{folded.length} more outcomes, each less likely to council and market</summary>
          <DistributionTable caption="The other outcomes" rows={folded} axis={axis} />
        </details>
      )}
    </figure>
  );
}

interface TableProps {
  readonly caption: string;
  readonly rows: readonly DistributionRow[];
  readonly axis: PercentAxis;
}

function DistributionTable({ caption, rows, axis }: TableProps) {
  return (
    <table>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="plotted">
              <span className="outcome">Outcome</span>
              <DotAxis axis={axis} />
            </span>
          </th>
          <th scope="col" className="number">
            Council
          </th>
          <th scope="col" className="number">
            Market
          </th>
          <th scope="col" className="number">
            Gap
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <Row key={row.outcome} row={row} axis={axis} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, axis }: { row: DistributionRow; axis: PercentAxis }) {
  return (
    <tr>
      <th scope="row">
        <span className="plotted">
          <span className="outcome">
            {row.outcome} {row.happened === true ? <span className="pill good">happened</span> : null}
          </span>
          <DotPlot row={row} axis={axis} />
        </span>
      </th>
      <td className="number council">{percent(row.council)}</td>
      <td className="number market">{row.market === null ? 'none' : percent(row.market)}</td>
      <td className="number gap">{row.market === null ? 'none' : signed(row.council - row.market)}</td>
    </tr>
  );
}
