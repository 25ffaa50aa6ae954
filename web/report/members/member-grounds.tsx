import type { OpinionView } from '../../../contract/deliberation.js';
import { changeLead } from '../../../contract/report-text/trigger-text.js';
import { day, percentText, withNoBreak } from '../../shared/format.js';

/**
 * The rule in the member's words, how far its number may move, and what would move it. Empty for reports of 1.0.0. The
 * texts are the member's, rendered as plain text.
 */
export function MemberGrounds({ opinion }: { readonly opinion: OpinionView }) {
  const { rule, range, subject, resolution_risk: risk, would_change: changes, dropped } = opinion;
  return (
    <>
      {rule === null ? null : (
        <div className="on-screen">
          <h6>The rule in its own words</h6>
          <p className="as-written">{rule}</p>
        </div>
      )}
      {range === null && risk === null ? null : (
        <p>
          {range === null ? null : `${rangeSentence(range, subject)} `}
          {risk === null ? null : `Resolution risk: ${percentText(risk)}.`}
        </p>
      )}
      {changes.length === 0 ? null : (
        <div className="on-screen">
          <h6>Would change its forecast{subject === null ? '' : ` of “${subject}”`}</h6>
          <ul className="evidence">
            {changes.map((change, index) => (
              <li key={index}>
                {withNoBreak(changeLead({ ...change, by: day(change.by) }))}:{' '}
                <bdi className="as-written">{change.if}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      {dropped.length === 0 ? null : <p className="muted small on-screen">Left out: {dropped.join('; ')}.</p>}
    </>
  );
}

function rangeSentence({ low, high }: NonNullable<OpinionView['range']>, subject: string | null): string {
  const ofSubject = subject === null ? '' : `, of “${subject}”`;
  return `After a further day of research${ofSubject}: ${percentText(low)} to ${percentText(high)} (80\u00a0% range).`;
}
