import type { TrackRecordView } from '../../contract/track-record.js';
import { Part } from '../shared/part.js';
import { TableHead } from '../shared/table-head.js';
import { counted, dollarsOf } from './format-figures.js';

const names = [
  ['estimate', 'Estimate', 'question'],
  ['council', 'Council', 'question'],
  ['bets', 'All bets', 'bet'],
  ['edge_bets', 'Edge bets', 'bet'],
  ['picks', 'Picks', 'bet'],
] as const;

/** What a dollar has become that was staked against the prices: evidence that may be looked at at any time. */
export function WealthPart({ record }: { readonly record: TrackRecordView }) {
  return (
    <Part id="wealth" title="A dollar against the prices">
      <table className="scores">
        <caption>
          What one dollar has become that was staked at the market’s prices, event after event: 5 to 80 % of
          the wealth each time, on the first report of the event. The estimate and the council stake it on
          their probabilities, without fees; the bets are at their costs.
        </caption>
        <TableHead texts={['Staked on']} numbers={['Now', 'Highest']} />
        <tbody>
          {names.map(([name, title, what]) => (
            <WealthRow key={name} title={title} what={what} wealth={record.wealth[name]} />
          ))}
        </tbody>
      </table>
      <p>
        If the prices were fair, the chance that a dollar ever becomes $20 is at most 5 %, however often one
        looks. So $20 is strong evidence that prices could be beaten, and less is little. Each row is a claim
        of its own. {record.wealth.edge_bets.text}
      </p>
    </Part>
  );
}

interface WealthRowProps {
  readonly title: string;
  readonly what: string;
  readonly wealth: TrackRecordView['wealth']['bets'];
}

function WealthRow({ title, what, wealth: { n, events, log_wealth, max_log_wealth } }: WealthRowProps) {
  return (
    <tr>
      <th scope="row">
        {title}
        <span className="of muted">
          {counted(n, what)}, {counted(events, 'event')}
        </span>
      </th>
      <td className="number">{dollarsOf(log_wealth)}</td>
      <td className="number">{dollarsOf(max_log_wealth)}</td>
    </tr>
  );
}
