import type { TrackRecordView } from '../../../contract/track-record.js';
import { grouped } from '../format.js';
import { Figure } from './figure.js';
import { score, share } from './figure-text.js';

export interface ScoreRow {
  readonly name: string;
  readonly figures: TrackRecordView['council'];
  /** Colour of who it is, where it has one. */
  readonly swatch?: 'council' | 'market' | 'blend';
}

interface ScoreTableProps {
  readonly caption: string;
  readonly rows: readonly ScoreRow[];
  /** The figures that the page is about stand larger. */
  readonly large?: boolean;
}

/** How good several forecasters were, one a row. */
export function ScoreTable({ caption, rows, large = false }: ScoreTableProps) {
  return (
    <table className={large ? 'scores large' : 'scores'}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="unseen">Forecaster</span>
          </th>
          <th scope="col" className="number">
            Brier score
          </th>
          <th scope="col" className="number">
            Log score
          </th>
          <th scope="col" className="number">
            Hit rate
          </th>
          <th scope="col" className="number">
            Reports
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <ScoreLine key={row.name} {...row} />
        ))}
      </tbody>
    </table>
  );
}

function ScoreLine({ name, figures, swatch }: ScoreRow) {
  return (
    <tr>
      <th scope="row">
        {swatch === undefined ? null : <span className={`swatch ${swatch}`} aria-hidden="true" />}
        {name}
      </th>
      <td className="number">
        <Figure text={score(figures.brier)} />
      </td>
      <td className="number">
        <Figure text={score(figures.log_score)} />
      </td>
      <td className="number">
        <Figure text={share(figures.hit_rate)} />
      </td>
      <td className="number">{grouped(figures.n)}</td>
    </tr>
  );
}
