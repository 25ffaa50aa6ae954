import { type NumberName, numberText, shownNumbers } from '../../../contract/report-text/estimate-text.js';
import { percentText } from '../../shared/format.js';
import { Part } from '../../shared/part.js';
import { TableHead } from '../../shared/table-head.js';
import type { ResultView } from '../completed-view.js';
import { type DistributionRow, distributionRows, foldRows, marketBasisText } from './distribution-rows.js';
import { DotAxis, DotPlot, LegendMark } from './dot-plot.js';
import { EstimateNotes } from './estimate-notes.js';
import { axisFor, type PercentAxis } from './percent-axis.js';

/** The three numbers of every outcome: the estimate, and those of council and market, which it weighs. */
export function ProbabilitiesPart({ report, runtime }: ResultView) {
  const numbers = shownNumbers(runtime);
  return (
    <Part id="probabilities" title="Probabilities">
      <p>
        {runtime.exclusive
          ? `Exactly one of these outcomes happens, so the probabilities of ${estimateAndCouncil(numbers)} add up to 100 %.`
          : 'These are separate questions. Several may come true, or none, so they do not add up to 100 %.'}{' '}
        {marketBasisText(runtime)}
      </p>
      <DistributionFigure rows={distributionRows(report, runtime)} numbers={numbers} />
      <EstimateNotes runtime={runtime} />
    </Part>
  );
}

function estimateAndCouncil(numbers: readonly NumberName[]): string {
  return numbers.includes('estimate') ? 'estimate and council' : 'the council';
}

interface DistributionFigureProps {
  readonly rows: readonly DistributionRow[];
  readonly numbers: readonly NumberName[];
}

/** A table with a plot in each row, so that every number can be both seen and read. */
function DistributionFigure({ rows, numbers }: DistributionFigureProps) {
  const axis = axisFor(
    rows.flatMap(({ council, market, estimate, members }) => [
      council,
      market ?? 0,
      estimate ?? 0,
      ...members,
    ]),
  );
  const { shown, folded } = foldRows(rows);
  return (
    <figure className="distribution">
      <figcaption>
        <ul>
          {numbers.map(name => (
            <li key={name}>
              <LegendMark of={name} />
              <span>
                <strong>{titles[name]}</strong>: {numberText(name)}
              </span>
            </li>
          ))}
          <li>
            <LegendMark of="member" />
            <span>Each member’s final forecast.</span>
          </li>
        </ul>
      </figcaption>
      <DistributionTable caption="Probabilities in percent" rows={shown} numbers={numbers} axis={axis} />
      {folded.length === 0 ? null : (
        <details className="more">
          <summary>{folded.length} less likely outcomes</summary>
          <DistributionTable caption="Other outcomes" rows={folded} numbers={numbers} axis={axis} />
        </details>
      )}
    </figure>
  );
}

const titles = { council: 'Council', market: 'Market', estimate: 'Estimate' } as const;

interface DistributionTableProps extends DistributionFigureProps {
  readonly caption: string;
  readonly axis: PercentAxis;
}

function DistributionTable({ caption, rows, numbers, axis }: DistributionTableProps) {
  return (
    <table>
      <caption className="unseen">{caption}</caption>
      <TableHead
        texts={[
          <span key="outcome" className="plotted">
            <span className="outcome">Outcome</span>
            <DotAxis axis={axis} />
          </span>,
        ]}
        numbers={numbers.map(name => titles[name])}
      />
      <tbody>
        {rows.map(row => (
          <Row key={row.outcome} row={row} numbers={numbers} axis={axis} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<DistributionTableProps, 'numbers' | 'axis'> {
  readonly row: DistributionRow;
}

function Row({ row, numbers, axis }: RowProps) {
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
      {numbers.map(name => (
        <td key={name} className={`number ${name}`}>
          {percentOrNone(row[name])}
        </td>
      ))}
    </tr>
  );
}

function percentOrNone(value: number | null): string {
  return value === null ? 'none' : percentText(value);
}
