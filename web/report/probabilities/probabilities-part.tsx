import { percent, signed } from '../../shared/format.js';
import { Part } from '../../shared/part.js';
import type { ResultView } from '../completed-view.js';
import { type DistributionRow, distributionRows, foldRows, marketBasisText } from './distribution-rows.js';
import { DotAxis, DotPlot, LegendMark } from './dot-plot.js';
import { axisFor, type PercentAxis } from './percent-axis.js';

/** The council's probability of every outcome, next to the market's. */
export function ProbabilitiesPart({ report, runtime }: ResultView) {
  return (
    <Part id="probabilities" title="Probabilities">
      <p>
        {runtime.exclusive
          ? 'Exactly one of these outcomes happens, so the council’s probabilities add up to 100 %.'
          : 'These are separate questions. Several may come true, or none, so they do not add up to 100 %.'}{' '}
        {marketBasisText(runtime)}
      </p>
      <DistributionFigure rows={distributionRows(report, runtime)} />
    </Part>
  );
}

/** A table with a plot in each row, so that every number can be both seen and read. */
function DistributionFigure({ rows }: { readonly rows: readonly DistributionRow[] }) {
  const axis = axisFor(rows.flatMap(({ council, market, members }) => [council, market ?? 0, ...members]));
  const { shown, folded } = foldRows(rows);
  return (
    <figure className="distribution">
      <figcaption>
        <span>
          <LegendMark of="council" /> council
        </span>
        <span>
          <LegendMark of="market" /> market
        </span>
        <span>
          <LegendMark of="member" /> each member’s final forecast
        </span>
      </figcaption>
      <DistributionTable caption="Council and market, in percent" rows={shown} axis={axis} />
      {folded.length === 0 ? null : (
        <details className="more">
          <summary>{folded.length} less likely outcomes</summary>
          <DistributionTable caption="Other outcomes" rows={folded} axis={axis} />
        </details>
      )}
    </figure>
  );
}

interface DistributionTableProps {
  readonly caption: string;
  readonly rows: readonly DistributionRow[];
  readonly axis: PercentAxis;
}

function DistributionTable({ caption, rows, axis }: DistributionTableProps) {
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
