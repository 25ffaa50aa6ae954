import type { TrackRecordView } from '../../contract/track-record.js';
import { memberName, members } from '../shared/format.js';
import { Part } from '../shared/part.js';
import { TableHead } from '../shared/table-head.js';
import { adjustmentTexts } from './comparison.js';
import { LeftOutTable } from './differences.js';
import { Figure, Glossary } from './figure.js';
import { counted, difference, distanceText, score, share } from './format-figures.js';

/** Scores of the council, of the market, and of the two numbers that weigh both. */
export function ScoresPart({ record }: { readonly record: TrackRecordView }) {
  return (
    <Part id="scores" title="Council, market, blend and estimate">
      <ScoreTable
        large
        caption="Mean scores over the graded events. Each event has one vote, the mean of its reports. Where the market had no price, it has no score."
        rows={[
          { name: 'Council', figures: record.council, swatch: 'council' },
          { name: 'Market', figures: record.market, swatch: 'market' },
          { name: 'Blend', figures: record.blend, swatch: 'blend' },
          { name: 'Estimate', figures: record.estimate, swatch: 'estimate' },
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
          [
            'Estimate',
            'Council and market by weights that were learnt from resolved events. Bets are priced by it. Reports made before it existed have none.',
          ],
        ]}
      />
    </Part>
  );
}

/** Scores of each member alone, and of their plain average. */
export function MembersPart({ record }: { readonly record: TrackRecordView }) {
  const { by_model: scores, slice_adjustment: adjustment } = record;
  return (
    <Part id="members" title="Member by member">
      <ScoreTable
        caption={`Scores of each model alone, and of the plain average of the members. A member that dropped out of a report has no score for it, so the rows do not cover exactly the same reports. ${adjustmentTexts[adjustment.by_model]}`}
        rows={[
          ...members.map(model => ({ name: memberName(model), figures: scores[model] })),
          { name: 'Average', figures: scores.mean },
        ]}
      />
      <LeftOutTable record={record} />
      <Correlation of={record.members.error_correlation} />
    </Part>
  );
}

function Correlation({ of }: { readonly of: TrackRecordView['members']['error_correlation'] }) {
  const { mean, effective_members: effective, pairs } = of;
  const known = pairs.flatMap(({ correlation }) => (correlation === null ? [] : [correlation]));
  if (mean === null) return null;
  return (
    <p>
      The errors of two members correlate at <strong className="number">{difference(mean)}</strong> on average
      ({difference(Math.min(...known))} to {difference(Math.max(...known))} by pair).{' '}
      {effective === null
        ? ''
        : `Four such members are worth ${distanceText(effective)} members whose errors have nothing in common. `}
      Part of this is chance that no forecaster can know: good members of different minds are above zero too.
    </p>
  );
}

interface ScoreRow {
  readonly name: string;
  readonly figures: TrackRecordView['council'];
  /** Colour of the forecaster in the plots. */
  readonly swatch?: 'council' | 'market' | 'blend' | 'estimate';
}

interface ScoreTableProps {
  readonly caption: string;
  readonly rows: readonly ScoreRow[];
  /** True for the main figures of the page. */
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
        numbers={['Brier score', 'Log score', 'Hit rate']}
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
        <span className="of muted">
          {counted(figures.n, 'report')}, {counted(figures.events, 'event')}
        </span>
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
    </tr>
  );
}
