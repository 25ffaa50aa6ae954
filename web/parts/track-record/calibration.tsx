import type { CalibrationBinView } from '../../../contract/track-record.js';
import { grouped } from '../format.js';
import { Part } from '../part.js';
import { CalibrationPlot } from './calibration-plot.js';
import { Figure } from './figure.js';
import { counted, range, share } from './figure-text.js';

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
