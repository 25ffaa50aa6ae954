import type { CalibrationBinView } from '../../contract/track-record.js';
import { grouped } from '../shared/format.js';
import { Part } from '../shared/part.js';
import { Figure } from './figure.js';
import { counted, fromZeroToOne, radiusOf, range, share } from './format-figures.js';

/** Whether seventy percent means seventy in a hundred. */
export function CalibrationPart({ bins }: { readonly bins: readonly CalibrationBinView[] }) {
  return (
    <Part id="calibration" title="Does 70 % mean seven in ten?">
      <figure className="calibration-figure">
        <div className="plot">
          <p className="plot-title">Happened, %</p>
          <CalibrationPlot bins={bins} />
          <p className="plot-title along">Said, %</p>
        </div>
        <figcaption>
          <p>
            Every outcome that the council put a probability on, gathered in tens: those given 60 to 70 %
            stand between 60 and 70. A point’s height is how many of them came true, its size how many there
            were.
          </p>
          <p>
            On the dashed line things happened as often as the council said. Above it they happened more
            often, below it less.
          </p>
          <p>
            The upright lines are 95 % intervals. Where one crosses the dashed line, the distance may be
            chance. They take outcomes to be independent; where a few events make up many outcomes, the truth
            is wider.
          </p>
        </figcaption>
      </figure>
      <details>
        <summary>The same as a table</summary>
        <BinTable bins={bins} />
      </details>
    </Part>
  );
}

function BinTable({ bins }: { bins: readonly CalibrationBinView[] }) {
  return (
    <table className="bins">
      <caption>
        In each row the outcomes that were given so much: how many, of how many events, what was said on
        average, and how many happened, with its 95 % interval.
      </caption>
      <thead>
        <tr>
          <th scope="col">Said</th>
          <th scope="col" className="number">
            Outcomes
          </th>
          <th scope="col" className="number">
            Mean said
          </th>
          <th scope="col" className="number">
            Happened
          </th>
        </tr>
      </thead>
      <tbody>
        {bins.map(bin => (
          <BinLine key={bin.from} bin={bin} />
        ))}
      </tbody>
    </table>
  );
}

function BinLine({ bin }: { bin: CalibrationBinView }) {
  const interval = range(bin.interval_95, share);
  return (
    <tr>
      <th scope="row" className="number">
        {(bin.from * 100).toFixed(0)}–{(bin.to * 100).toFixed(0)} %
      </th>
      <td className="number">
        {grouped(bin.n)}
        <span className="of muted">{counted(bin.events, 'event')}</span>
      </td>
      <td className="number">
        <Figure text={share(bin.mean_probability)} />
      </td>
      <td className="number">
        <Figure text={share(bin.share_happened)} />
        {interval === null ? null : <span className="of muted">{interval}</span>}
      </td>
    </tr>
  );
}

const across = fromZeroToOne(11, 97);
const up = fromZeroToOne(92, 3);
const x = (value: number) => `${across(value)}%`;
const y = (value: number) => `${up(value)}%`;
const ticks = [0, 0.25, 0.5, 0.75, 1];

/** Said against happened. The table below it has the same numbers, so it is told in one sentence. */
function CalibrationPlot({ bins }: { readonly bins: readonly CalibrationBinView[] }) {
  const most = Math.max(0, ...bins.map(({ n }) => n));
  return (
    <svg className="calibration" role="img" aria-labelledby="calibration-said">
      <title id="calibration-said">
        What the council said, against how often it happened. The table after it has every number.
      </title>
      <Grid />
      <line className="diagonal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
      {bins.map(bin => (
        <Bin key={bin.from} bin={bin} most={most} />
      ))}
    </svg>
  );
}

function Grid() {
  return (
    <g className="grid">
      {ticks.map(tick => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={y(0)} y2={y(1)} />
          <line x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} />
          <text className="along" x={x(tick)} y={y(0)} dy="1.4em" textAnchor="middle">
            {tick * 100}
          </text>
          <text x={x(0)} y={y(tick)} dx="-0.6em" dy="0.35em" textAnchor="end">
            {tick * 100}
          </text>
        </g>
      ))}
    </g>
  );
}

function Bin({ bin, most }: { bin: CalibrationBinView; most: number }) {
  const { n, mean_probability: said, share_happened: happened, interval_95: interval } = bin;
  if (said === null || happened === null) return null;
  return (
    <g className="bin">
      <circle cx={x(said)} cy={y(happened)} r={radiusOf(n, most)} />
      {interval === null ? null : <line x1={x(said)} x2={x(said)} y1={y(interval[0])} y2={y(interval[1])} />}
    </g>
  );
}
