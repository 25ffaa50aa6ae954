import type { CalibrationBinView } from '../../contract/track-record.js';
import { grouped } from '../shared/format.js';
import { Part } from '../shared/part.js';
import { TableHead } from '../shared/table-head.js';
import { Figure } from './figure.js';
import { counted, fromZeroToOne, radiusOf, range, share } from './format-figures.js';

/** Whether outcomes forecast at 70 % happen in 70 of 100 cases. */
export function CalibrationPart({ bins }: { readonly bins: readonly CalibrationBinView[] }) {
  return (
    <Part id="calibration" title="Does 70 % mean seven in ten?">
      <figure className="calibration-figure">
        <div className="plot">
          <p className="plot-title">Observed, %</p>
          <CalibrationPlot bins={bins} />
          <p className="plot-title along">Forecast, %</p>
        </div>
        <figcaption>
          <p>
            Every outcome with a forecast of the council, in bins of ten percent: outcomes forecast at 60 to
            70 % are between 60 and 70. The height of a point shows how many of them happened, its size how
            many there were. In each bin, an event has one vote.
          </p>
          <p>
            On the dashed line, outcomes happened as often as forecast. Above it they happened more often,
            below it less often.
          </p>
          <p>
            The vertical lines are 95 % intervals. Where one crosses the dashed line, the deviation may be
            chance. The intervals count each event as one trial, however many outcomes it has in the bin.
          </p>
        </figcaption>
      </figure>
      <details>
        <summary>Show as a table</summary>
        <BinTable bins={bins} />
      </details>
    </Part>
  );
}

function BinTable({ bins }: { bins: readonly CalibrationBinView[] }) {
  return (
    <table className="bins">
      <caption>
        Outcomes by forecast probability: how many, from how many events, the mean forecast, and the share
        that happened with its 95 % interval.
      </caption>
      <TableHead texts={['Forecast']} numbers={['Outcomes', 'Mean forecast', 'Observed']} />
      <tbody>
        {bins.map(bin => (
          <BinRow key={bin.from} bin={bin} />
        ))}
      </tbody>
    </table>
  );
}

function BinRow({ bin }: { bin: CalibrationBinView }) {
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

/** Forecast against observed frequency. The table has the same numbers for screen readers. */
function CalibrationPlot({ bins }: { readonly bins: readonly CalibrationBinView[] }) {
  const max = Math.max(0, ...bins.map(({ n }) => n));
  return (
    <svg className="calibration" role="img" aria-labelledby="calibration-title">
      <title id="calibration-title">
        Forecast probability against observed frequency. The table below has all numbers.
      </title>
      <Grid />
      <line className="diagonal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
      {bins.map(bin => (
        <Bin key={bin.from} bin={bin} max={max} />
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

function Bin({ bin, max }: { bin: CalibrationBinView; max: number }) {
  const { n, mean_probability: forecast, share_happened: observed, interval_95: interval } = bin;
  if (forecast === null || observed === null) return null;
  return (
    <g className="bin">
      <circle cx={x(forecast)} cy={y(observed)} r={radiusOf(n, max)} />
      {interval === null ? null : (
        <line x1={x(forecast)} x2={x(forecast)} y1={y(interval[0])} y2={y(interval[1])} />
      )}
    </g>
  );
}
