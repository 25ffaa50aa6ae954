import { changedItsMind, type MemberStory } from './member-stories.js';

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
