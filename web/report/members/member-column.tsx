import type { ReviewView } from '../../../contract/deliberation.js';
import { memberName } from '../../shared/format.js';
import { MemberNumbers } from './member-numbers.js';
import type { MemberStory } from './member-stories.js';
import { MemberMarks } from './member-table.js';

/** One member's way through the deliberation, a block a stage, so that blocks of the same stage stand side by side. */
export function MemberColumn({ story }: { readonly story: MemberStory }) {
  const { model, modelId, opinion, losses } = story;
  const id = `member-${model}`;
  return (
    <section className="member" aria-labelledby={id}>
      <div>
        <h4 id={id}>{memberName(model)}</h4>
        <p className="muted small">{modelId ?? 'gave no opinion'}</p>
        <MemberMarks story={story} />
        {losses.map(({ stage, detail }) => (
          <p key={stage} className="small">
            Lost: {detail}.
          </p>
        ))}
      </div>
      <div>{opinion === null ? null : <MemberNumbers story={story} opinion={opinion} />}</div>
      <div>
        {opinion === null ? null : (
          <>
            <h5>Opinion</h5>
            <p className="as-written">{opinion.rationale}</p>
            <Evidence texts={opinion.evidence} />
            <p className="muted small">
              In {seconds(opinion.latency_ms)}, {attempts(opinion.attempts)}
            </p>
          </>
        )}
      </div>
      <div>
        <AfterReview story={story} />
      </div>
      <div>
        <Received story={story} />
        <Given story={story} />
      </div>
    </section>
  );
}

function Evidence({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return <p className="muted">It named no evidence.</p>;
  return (
    <ul className="evidence">
      {texts.map((text, index) => (
        <li key={index} className="as-written">
          {text}
        </li>
      ))}
    </ul>
  );
}

function AfterReview({ story: { review, position, opinion } }: { story: MemberStory }) {
  if (opinion === null) return null;
  return (
    <>
      <h5>After reading the others</h5>
      {review === null ? (
        <p>Its review was lost, so its first opinion counts as it was.</p>
      ) : (
        <>
          <p>
            {position === null || position.moved_points === 0
              ? 'It stayed where it was.'
              : `It moved ${position.moved_points.toFixed(1)} points.`}
          </p>
          <p>It ranked them, best first: {review.ranking.map(memberName).join(', ')}.</p>
          <p className="muted small">
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
      critiques={received.map(({ from, ...critique }) => ({ ...critique, by: `By ${memberName(from)}` }))}
    />
  );
}

function Given({ story: { review } }: { story: MemberStory }) {
  const given: ReviewView['critiques'] = review?.critiques ?? [];
  return (
    <Critiques
      title={`Critiques given: ${given.length}`}
      critiques={given.map(({ model, ...critique }) => ({ ...critique, by: `Of ${memberName(model)}` }))}
    />
  );
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const attempts = (count: number) => `${count} ${count === 1 ? 'attempt' : 'attempts'}`;

interface CritiquesProps {
  readonly title: string;
  readonly critiques: readonly {
    readonly by: string;
    readonly strengths: string;
    readonly weaknesses: string;
  }[];
}

/** What was said of one member by another. Folded away: it is long, and of second order. */
function Critiques({ title, critiques }: CritiquesProps) {
  if (critiques.length === 0) return null;
  return (
    <details className="critiques">
      <summary>{title}</summary>
      <dl>
        {critiques.map(({ by, strengths, weaknesses }) => (
          <div key={by}>
            <dt>{by}</dt>
            <dd className="as-written">
              <strong>For it: </strong>
              {strengths}
            </dd>
            <dd className="as-written">
              <strong>Against it: </strong>
              {weaknesses}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
