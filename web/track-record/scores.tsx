import type { TrackRecordView } from '../../contract/track-record.js';
import { grouped } from '../shared/format.js';
import { Part } from '../shared/part.js';
import { Figure, Glossary } from './figure.js';
import { score, share } from './format-figures.js';

/** The council beside the market, and beside what somebody had said who listened to both. */
export function ScoresPart({ record }: { readonly record: TrackRecordView }) {
  return (
    <Part id="scores" title="Council, market and blend">
      <ScoreTable
        large
        caption="Means over the graded reports that each of them has a forecast for. Where the market had no price, it has no score."
        rows={[
          { name: 'Council', figures: record.council, swatch: 'council' },
          { name: 'Market', figures: record.market, swatch: 'market' },
          { name: 'Blend', figures: record.blend, swatch: 'blend' },
        ]}
      />
      <Glossary
        lines={[
          [
            'Brier score',
            'How far the probabilities were from what happened, squared. 0 is perfect; saying one half to every yes/no question gives 0.5. Less is better.',
          ],
          [
            'Log score',
            'How surprised the forecast was by what happened. It punishes being sure and wrong hardest. Less is better.',
          ],
          ['Hit rate', 'How often the likeliest outcome was the one that happened. More is better.'],
          ['Market', 'What the prices said at the very moment at which the council was asked.'],
          ['Blend', 'The two mixed, leaning on the market: what one would say who trusts prices first.'],
        ]}
      />
    </Part>
  );
}

/** Each member alone, and all of them without the method. */
export function MembersPart({ members }: { readonly members: TrackRecordView['by_model'] }) {
  return (
    <Part id="members" title="Member by member">
      <ScoreTable
        caption="What each model would have scored alone, and the plain average of the members. A member that dropped out of a report has no score on it, so the rows are not over quite the same reports."
        rows={[
          { name: 'Claude', figures: members.claude },
          { name: 'GPT', figures: members.gpt },
          { name: 'Gemini', figures: members.gemini },
          { name: 'Grok', figures: members.grok },
          { name: 'Average', figures: members.mean },
        ]}
      />
    </Part>
  );
}

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
function ScoreTable({ caption, rows, large = false }: ScoreTableProps) {
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
