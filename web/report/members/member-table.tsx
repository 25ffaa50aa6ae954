import type { RuntimeView } from '../../../contract/runtime.js';
import { memberName, percentText } from '../../shared/format.js';
import { TableHead } from '../../shared/table-head.js';
import { changedFavourite, type MemberStory } from './member-stories.js';

interface MemberTableProps {
  readonly stories: readonly MemberStory[];
  readonly thresholds: RuntimeView['method']['thresholds'];
}

/** The final position of each member, how far the review moved it, and its rank by the others. */
export function MemberTable({ stories, thresholds }: MemberTableProps) {
  return (
    <table className="member-table">
      <caption>
        Moved: change by the review, in percentage points. Distance: from the council, in percentage points. A
        member dissents if its favourite differs from the council’s, or if its distance is{' '}
        {dissentText(thresholds['dissent_min_points'])}. Rank: by the votes of the others. Votes change no
        number.
      </caption>
      <TableHead texts={['Member', 'Favourite']} numbers={['Moved', 'Distance', 'Rank']} />
      <tbody>
        {stories.map(story => (
          <tr key={story.model}>
            <th scope="row">
              {memberName(story.model)} <MemberMarks story={story} />
            </th>
            <Figures story={story} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function dissentText(points: number | undefined): string {
  return points === undefined ? 'large' : `${points} points or more`;
}

function Figures({ story: { position, rank } }: { story: MemberStory }) {
  if (position === null) return <td colSpan={4}>No forecast.</td>;
  return (
    <>
      <td>
        {position.most_likely_outcome},{' '}
        <span className="number">{percentText(position.most_likely_probability)}</span>
      </td>
      <td className="number">{position.moved_points.toFixed(1)}</td>
      <td className="number">{position.distance_points.toFixed(1)}</td>
      <td className="number">{rank === null ? 'none' : rank}</td>
    </>
  );
}

const stageNames = { opinions: 'opinions', cross_review: 'review', synthesis: 'synthesis' } as const;

/** Labels a member that dissents, changed its favourite or was lost. */
export function MemberMarks({ story }: { readonly story: MemberStory }) {
  return (
    <span className="marks">
      {story.position?.dissents === true ? <span className="pill warn">dissents</span> : null}{' '}
      {changedFavourite(story) ? <span className="pill">changed its favourite</span> : null}{' '}
      {story.losses.map(({ stage }) => (
        <span key={stage} className="pill bad">
          lost at {stageNames[stage]}
        </span>
      ))}
    </span>
  );
}
