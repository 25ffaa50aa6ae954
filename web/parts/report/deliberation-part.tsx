import type { SynthesisView } from '../../../contract/deliberation.js';
import { memberName } from '../format.js';
import { Part } from '../part.js';
import type { CompletedProps } from './completed-report.js';
import { MemberColumn } from './member-column.js';
import { memberStories } from './member-stories.js';
import { StandingTable } from './standing-table.js';
import { TextList } from './text-list.js';

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
      <StandingTable stories={stories} thresholds={runtime.method.thresholds} />
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
