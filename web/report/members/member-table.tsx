import type { RuntimeView } from '../../../contract/runtime.js';
import { memberName, percent } from '../../shared/format.js';
import { changedItsMind, type MemberStory } from './member-stories.js';

interface StandingTableProps {
  readonly stories: readonly MemberStory[];
  readonly thresholds: RuntimeView['method']['thresholds'];
}

/** Where each member stands in the end, how far the review moved it, and how the others ranked it. */
export function MemberTable({ stories, thresholds }: StandingTableProps) {
  return (
    <table className="standing-table">
      <caption>
        Moved: by the review, in percentage points. Distance: from the council, likewise. A member dissents
        when its favourite is another than the council’s, or its distance{' '}
        {dissentText(thresholds['dissent_min_points'])}. Rank: by the others’ votes, which explain and set no
        number.
      </caption>
      <thead>
        <tr>
          <th scope="col">Member</th>
          <th scope="col">Favourite</th>
          <th scope="col" className="number">
            Moved
          </th>
          <th scope="col" className="number">
            Distance
          </th>
          <th scope="col" className="number">
            Rank
          </th>
        </tr>
      </thead>
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
  return points === undefined ? 'great' : `${points} points or more`;
}

function Figures({ story: { position, rank } }: { story: MemberStory }) {
  if (position === null) return <td colSpan={4}>No forecast of its counts.</td>;
  return (
    <>
      <td>
        {position.most_likely_outcome},{' '}
        <span className="number">{percent(position.most_likely_probability)}</span>
      </td>
      <td className="number">{position.moved_points.toFixed(1)}</td>
      <td className="number">{position.distance_points.toFixed(1)}</td>
      <td className="number">{rank === null ? 'none' : rank}</td>
    </>
  );
}

const stageNames = { opinions: 'opinions', cross_review: 'review', synthesis: 'synthesis' } as const;

/** What sets a member apart from the others. */
export function MemberMarks({ story }: { readonly story: MemberStory }) {
  return (
    <span className="marks">
      {story.position?.dissents === true ? <span className="pill warn">dissents</span> : null}{' '}
      {changedItsMind(story) ? <span className="pill">changed its mind</span> : null}{' '}
      {story.losses.map(({ stage }) => (
        <span key={stage} className="pill bad">
          lost at {stageNames[stage]}
        </span>
      ))}
    </span>
  );
}
