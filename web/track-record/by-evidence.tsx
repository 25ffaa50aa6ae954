import type { TrackRecordView } from '../../contract/track-record.js';
import { Part } from '../shared/part.js';
import { TableHead } from '../shared/table-head.js';
import { Figure } from './figure.js';
import { counted, distanceText, range, score } from './format-figures.js';

const names = [
  ['searched', 'Searched'],
  ['partial', 'Some searches failed'],
  ['none', 'Nothing found'],
  ['not_searched', 'Not searched'],
] as const;

/** Whether research helped, and whether it brought the council closer to prices that it must not see. */
export function EvidencePart({ record }: { readonly record: TrackRecordView }) {
  return (
    <Part id="evidence" title="With and without research">
      <table className="differences">
        <caption>
          Reports by what members looked up before their forecasts: Brier scores where the market had a price,
          and how far the council was from the market, in percentage points, with a 95 % interval for one
          look.
        </caption>
        <TableHead texts={['Reports']} numbers={['Brier scores', 'Points from the market']} />
        <tbody>
          {names.map(([slice, name]) => (
            <EvidenceRow key={slice} name={name} figures={record.by_evidence[slice]} />
          ))}
        </tbody>
      </table>
      <p>
        Members that search still must not see a price. If the council is closer to the market where members
        searched than where they did not, suspect that prices leak through what they find. The distance is no
        proof: news moves council and market alike, and the rows are about different events.
      </p>
    </Part>
  );
}

interface EvidenceRowProps {
  readonly name: string;
  readonly figures: TrackRecordView['by_evidence']['searched'];
}

function EvidenceRow({ name, figures }: EvidenceRowProps) {
  const { paired_difference: paired, estimate, market_distance_points: apart } = figures;
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="of muted">
          {counted(paired.n, 'report')}, {counted(paired.events, 'event')}
        </span>
      </th>
      <td className="number">
        <Brier of="council" score={paired.council_brier} />
        <Brier of="market" score={paired.market_brier} />
        <Brier of="estimate" score={estimate.brier} />
      </td>
      <td className="number">
        <Figure text={distanceText(apart.mean)} />
        {apart.interval_95 === null ? null : (
          <span className="of muted">{range(apart.interval_95, distanceText)}</span>
        )}
      </td>
    </tr>
  );
}

interface BrierProps {
  readonly of: 'council' | 'market' | 'estimate';
  readonly score: number | null;
}

function Brier({ of, score: value }: BrierProps) {
  return (
    <div>
      <span className={`swatch ${of}`} aria-hidden="true" />
      {of} <Figure text={score(value)} />
    </div>
  );
}
