import type { NumberName } from '../../../contract/report-text/estimate-text.js';
import { TableHead } from '../../shared/table-head.js';
import { type DistributionRow, foldRows, numberTitles, percentOrNone } from './distribution-rows.js';
import { DotAxis, DotPlot, LegendMark } from './dot-plot.js';
import { axisFor, type PercentAxis } from './percent-axis.js';

interface DistributionFigureProps {
  readonly rows: readonly DistributionRow[];
  readonly numbers: readonly NumberName[];
}

/** A table with a plot in each row, so that every number can be both seen and read. */
export function DistributionFigure({ rows, numbers }: DistributionFigureProps) {
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
    <figure className={rows.length > plottedOnPhoneMax ? 'distribution many' : 'distribution'}>
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

/** A phone shows more outcomes by their numbers alone. */
const plottedOnPhoneMax = 2;

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
        numbers={numbers.map(name => (
          <span key={name} className="marked">
            <LegendMark of={name} /> {numberTitles[name]}
          </span>
        ))}
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
