import type { TrackRecordView } from '../../contract/track-record.js';
import { grouped, memberName, members } from '../shared/format.js';
import { Part } from '../shared/part.js';
import { TableHead } from '../shared/table-head.js';
import { Figure, Glossary } from './figure.js';
import { score, share } from './format-figures.js';

/** Scores of the council, of the market, and of a blend of the two. */
export function ScoresPart({ record }: { readonly record: TrackRecordView }) {
  return (
    <Part id="scores" title="Council, market and blend">
      <ScoreTable
        large
        caption="Mean scores over the graded reports. Where the market had no price, it has no score."
        rows={[
          { name: 'Council', figures: record.council, swatch: 'council' },
          { name: 'Market', figures: record.market, swatch: 'market' },
          { name: 'Blend', figures: record.blend, swatch: 'blend' },
        ]}
      />
      <Glossary
        terms={[
          [
            'Brier score',
            'The squared distance between the probabilities and what happened. 0 is perfect; a forecast of 50 % on a yes/no question scores 0.5. Lower is better.',
          ],
          [
            'Log score',
            'The negative logarithm of the probability given to what happened. It penalises confident mistakes most. Lower is better.',
          ],
          ['Hit rate', 'How often the most likely outcome happened. Higher is better.'],
          ['Market', 'The probabilities implied by the prices at the time of the report.'],
          ['Blend', 'A weighted mean of the two, with most of the weight on the market.'],
        ]}
      />
    </Part>
  );
}

/** Scores of each member alone, and of their plain average. */
export function MembersPart({ members: scores }: { readonly members: TrackRecordView['by_model'] }) {
  return (
    <Part id="members" title="Member by member">
      <ScoreTable
        caption="Scores of each model alone, and of the plain average of the members. A member that dropped out of a report has no score for it, so the rows do not cover exactly the same reports."
        rows={[
          ...members.map(model => ({ name: memberName(model), figures: scores[model] })),
          { name: 'Average', figures: scores.mean },
        ]}
      />
    </Part>
  );
}

interface ScoreRow {
  readonly name: string;
  readonly figures: TrackRecordView['council'];
  /** Colour of the forecaster in the plots. */
  readonly swatch?: 'council' | 'market' | 'blend';
}

interface ScoreTableProps {
  readonly caption: string;
  readonly rows: readonly ScoreRow[];
  /** For the main figures of the page. */
  readonly large?: boolean;
}

/** Scores, one forecaster per row. */
function ScoreTable({ caption, rows, large = false }: ScoreTableProps) {
  return (
    <table className={large ? 'scores large' : 'scores'}>
      <caption>{caption}</caption>
      <TableHead
        texts={[
          <span key="name" className="unseen">
            Forecaster
          </span>,
        ]}
        numbers={['Brier score', 'Log score', 'Hit rate', 'Reports']}
      />
      <tbody>
        {rows.map(row => (
          <ScoreTableRow key={row.name} {...row} />
        ))}
      </tbody>
    </table>
  );
}

function ScoreTableRow({ name, figures, swatch }: ScoreRow) {
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
