import type { ReviewView } from '../../../contract/deliberation.js';
import { memberName } from '../../shared/format.js';
import type { Source } from '../sources/claims.js';
import { MemberFacts } from './member-facts.js';
import { MemberGrounds } from './member-grounds.js';
import { MemberNumbers } from './member-numbers.js';
import type { MemberStory } from './member-stories.js';
import { MemberMarks } from './member-table.js';

interface MemberColumnProps {
  readonly story: MemberStory;
  /** What the members looked up; empty if they did not. */
  readonly sources: readonly Source[];
}

/** The deliberation of one member, in one block per stage. The blocks align across the columns. */
export function MemberColumn({ story, sources }: MemberColumnProps) {
  const { model, modelId, opinion, losses } = story;
  const id = `member-${model}`;
  return (
    <section className="member" aria-labelledby={id}>
      <div>
        <h4 id={id}>{memberName(model)}</h4>
        <p className="muted small">{modelId ?? 'no opinion'}</p>
        <MemberMarks story={story} />
        {losses.map(({ stage, detail }) => (
          <p key={stage} className="small">
            Lost: {detail}.
          </p>
        ))}
      </div>
      <div className="on-screen">
        {opinion === null ? null : <MemberNumbers story={story} opinion={opinion} />}
      </div>
      <div>
        {opinion === null ? null : (
          <>
            <h5>Opinion</h5>
            <p className="as-written">{opinion.rationale}</p>
            <MemberFacts opinion={opinion} sources={sources} />
            <MemberGrounds opinion={opinion} />
            <p className="muted small on-screen">
              In {seconds(opinion.latency_ms)}, {attempts(opinion.attempts)}
            </p>
          </>
        )}
      </div>
      <div className="on-screen">
        <AfterReview story={story} />
      </div>
      <div className="on-screen">
        <Received story={story} />
        <Given story={story} />
      </div>
    </section>
  );
}

function AfterReview({ story: { review, position, opinion } }: { story: MemberStory }) {
  if (opinion === null) return null;
  return (
    <>
      <h5>After the review</h5>
      {review === null ? (
        <p>Its review was lost, so its first opinion counts unrevised.</p>
      ) : (
        <>
          <p>
            {position === null || position.moved_points === 0
              ? 'It kept its forecast.'
              : `Its forecast moved by ${position.moved_points.toFixed(1)} points.`}
          </p>
          <p>Its ranking of the others, best first: {review.ranking.map(memberName).join(', ')}.</p>
          <p className="muted small on-screen">
            In {seconds(review.latency_ms)}, {attempts(review.attempts)}
          </p>
        </>
      )}
    </>
  );
}

function Received({ story: { received } }: { story: MemberStory }) {
  return (
    <Critiques
      title={`Critiques received: ${received.length}`}
      critiques={received.map(({ from, ...critique }) => ({
        ...critique,
        heading: `By ${memberName(from)}`,
      }))}
    />
  );
}

function Given({ story: { review } }: { story: MemberStory }) {
  const given: ReviewView['critiques'] = review?.critiques ?? [];
  return (
    <Critiques
      title={`Critiques given: ${given.length}`}
      critiques={given.map(({ model, ...critique }) => ({ ...critique, heading: `On ${memberName(model)}` }))}
    />
  );
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const attempts = (count: number) => `${count} ${count === 1 ? 'attempt' : 'attempts'}`;

interface CritiquesProps {
  readonly title: string;
  readonly critiques: readonly {
    readonly heading: string;
    readonly strengths: string;
    readonly weaknesses: string;
  }[];
}

/** Critiques of one member by another. Collapsed, because they are long and of secondary interest. */
function Critiques({ title, critiques }: CritiquesProps) {
  if (critiques.length === 0) return null;
  return (
    <details className="critiques">
      <summary>{title}</summary>
      <dl>
        {critiques.map(({ heading, strengths, weaknesses }) => (
          <div key={heading}>
            <dt>{heading}</dt>
            <dd className="as-written">
              <strong>Strengths: </strong>
              {strengths}
            </dd>
            <dd className="as-written">
              <strong>Weaknesses: </strong>
              {weaknesses}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
