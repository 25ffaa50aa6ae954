import type { SynthesisView } from '../../../contract/deliberation.js';
import { memberName } from '../../shared/format.js';
import { Part } from '../../shared/part.js';
import type { CompletedProps } from '../completed-report.js';
import { MemberColumn } from './member-column.js';
import { memberStories } from './member-stories.js';
import { MemberTable } from './member-table.js';

/** Who said what, who changed their mind, who was ranked where, and what the chairman made of it. */
export function DeliberationPart({ report, runtime, deliberation }: CompletedProps) {
  const stories = memberStories(report, deliberation);
  return (
    <Part id="deliberation" title="Deliberation">
      <p>
        Every member forecast by itself, without a price. Then each read the others without knowing whose
        words they were, ranked them, and could change its mind. What they write is theirs, and not checked.
      </p>
      <h3>Who stands where</h3>
      <MemberTable stories={stories} thresholds={runtime.method.thresholds} />
      {deliberation.synthesis === null ? null : <Synthesis synthesis={deliberation.synthesis} />}
      <h3>Side by side</h3>
      <div className="members">
        {stories.map(story => (
          <MemberColumn key={story.model} story={story} />
        ))}
      </div>
    </Part>
  );
}

function Synthesis({ synthesis }: { synthesis: SynthesisView }) {
  return (
    <>
      <h3>What {memberName(synthesis.model)} found in the chair</h3>
      <div className="synthesis">
        <TextList title="Agreements" texts={synthesis.agreements} />
        <TextList title="Disagreements" texts={synthesis.disagreements} />
        <TextList title="Key uncertainties" texts={synthesis.key_uncertainties} />
      </div>
    </>
  );
}

interface TextListProps {
  readonly title: string;
  /** A model's own, shown as text and nothing else. */
  readonly texts: readonly string[];
}

function TextList({ title, texts }: TextListProps) {
  return (
    <div className="text-list">
      <h4>{title}</h4>
      {texts.length === 0 ? (
        <p className="muted">None named.</p>
      ) : (
        <ul>
          {texts.map((text, index) => (
            // A model may say the same twice.
            <li key={index} className="as-written">
              {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
