import { minute, percentText } from './format.js';
import {
  chartHeight,
  chartWidth,
  type PricePoints,
  pricePath,
  priceScale,
  priceSummary,
} from './price-scale.js';
import { TableHead } from './table-head.js';

/** A moment in the chart, with the numbers of a report. */
export interface PriceMark {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Name and percent of each number; the name is also its colour. */
  readonly numbers: readonly (readonly [name: 'market' | 'council' | 'estimate', percent: number])[];
}

interface PriceChartProps {
  /** What is priced, for the name of the drawing. */
  readonly of: string;
  /** Not empty. */
  readonly points: PricePoints;
  readonly mark?: PriceMark;
}

/** Past prices of YES as a drawing, in words, and as a table. */
export function PriceChart({ of, points, mark }: PriceChartProps) {
  const scale = priceScale([...points.map(({ at }) => at), ...(mark === undefined ? [] : [mark.at])]);
  const summary = priceSummary(points);
  return (
    <figure className="price-chart">
      <svg
        role="img"
        aria-label={`Past prices of ${of}. ${summary}${mark === undefined ? '' : ` ${markText(mark)}`}`}
        viewBox={`-8 -8 ${chartWidth + 56} ${chartHeight + 16}`}
      >
        {[0, 25, 50, 75, 100].map(tick => (
          <g key={tick}>
            <line className="grid" x1="0" x2={chartWidth} y1={scale.y(tick / 100)} y2={scale.y(tick / 100)} />
            <text x={chartWidth + 8} y={scale.y(tick / 100) + 4}>
              {tick} %
            </text>
          </g>
        ))}
        <path className="price" d={pricePath(points, scale)} />
        {mark === undefined ? null : (
          <g>
            <line className="moment" x1={scale.x(mark.at)} x2={scale.x(mark.at)} y1="0" y2={chartHeight} />
            {mark.numbers.map(([name, percent]) => (
              <circle key={name} className={name} cx={scale.x(mark.at)} cy={scale.y(percent / 100)} r="6" />
            ))}
          </g>
        )}
      </svg>
      <figcaption className="muted small">
        {summary}
        {mark === undefined ? null : ` ${markText(mark)}`}
      </figcaption>
      <PriceTable points={points} />
    </figure>
  );
}

function markText({ at, numbers }: PriceMark): string {
  const texts = numbers.map(([name, percent]) => `${name} ${percentText(percent)}`);
  return `The line marks the report of ${minute(at)}: ${texts.join(', ')}.`;
}

const rowsMax = 30;

/** A longer list is thinned: the drawing shows every point. */
function PriceTable({ points }: { points: PricePoints }) {
  const step = Math.ceil(points.length / rowsMax);
  const rows = points.filter((_, index) => (points.length - 1 - index) % step === 0);
  return (
    <details className="more">
      <summary>Prices as a table</summary>
      <table>
        <caption className="unseen">Past prices of YES</caption>
        <TableHead texts={['Time']} numbers={['Price']} />
        <tbody>
          {rows.map(({ at, yes_price: price }) => (
            <tr key={at}>
              <th scope="row">{minute(at)}</th>
              <td className="number">{percentText(price * 100)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
