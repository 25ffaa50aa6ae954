import type { OpinionView } from '../../../contract/deliberation.js';
import { memberName, percentText } from '../../shared/format.js';
import { TableHead } from '../../shared/table-head.js';
import { type MemberRow, type MemberStory, memberRows } from './member-stories.js';

interface MemberNumbersProps {
  readonly story: MemberStory;
  readonly opinion: OpinionView;
}

/** The first and the final forecast of a member. */
export function MemberNumbers({ story: { model, review }, opinion }: MemberNumbersProps) {
  const { shown, folded } = memberRows(opinion, review);
  const name = memberName(model);
  return (
    <>
      <h5>Forecast</h5>
      <NumbersTable caption={`${name}: first and final forecast`} rows={shown} />
      {folded.length === 0 ? null : (
        <details>
          <summary>{folded.length} more outcomes</summary>
          <NumbersTable caption={`${name}: other outcomes`} rows={folded} />
        </details>
      )}
      <p className="muted small">
        Reported confidence: {percentText(opinion.confidence)}
        {review === null ? '' : `, after the review ${percentText(review.revised_confidence)}`}
      </p>
    </>
  );
}

function NumbersTable({ caption, rows }: { caption: string; rows: readonly MemberRow[] }) {
  return (
    <table className="member-numbers">
      <caption className="unseen">{caption}</caption>
      <TableHead texts={['Outcome']} numbers={['First', 'Final']} />
      <tbody>
        {rows.map(({ outcome, first, final }) => (
          <tr key={outcome}>
            <th scope="row">{outcome}</th>
            <td className="number">{first.toFixed(1)}</td>
            <td className="number">{final.toFixed(1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
