import type { SynthesisView } from '../../../contract/deliberation.js';
import { counted, listed, memberName } from '../../shared/format.js';
import { FoldedPart } from '../../shared/part.js';
import type { CompletedView } from '../completed-view.js';
import { MemberColumn } from './member-column.js';
import { type MemberStory, memberStories } from './member-stories.js';
import { MemberTable } from './member-table.js';

/** The opinions, reviews and rankings of the members, and the synthesis of the chairman. */
export function DeliberationPart({ report, runtime, deliberation }: CompletedView) {
  const stories = memberStories(report, deliberation);
  return (
    <FoldedPart id="deliberation" title="Members" inside={insideText(stories)}>
      <p>
        Each member forecast independently, without seeing a price. Then each read the anonymous opinions of
        the others, ranked them, and could revise its forecast. The texts are shown as written and are not
        checked.
      </p>
      <h3>Final positions</h3>
      <MemberTable stories={stories} thresholds={runtime.method.thresholds} />
      {deliberation.synthesis === null ? null : <Synthesis synthesis={deliberation.synthesis} />}
      <h3>Side by side</h3>
      <div className="members">
        {stories.map(story => (
          <MemberColumn key={story.model} story={story} sources={deliberation.evidence?.items ?? []} />
        ))}
      </div>
    </FoldedPart>
  );
}

/** "4 forecasts with reasons and critiques; Claude and Grok dissent" */
function insideText(stories: readonly MemberStory[]): string {
  const forecasts = stories.filter(({ opinion }) => opinion !== null).length;
  const dissenting = stories.filter(({ position }) => position?.dissents === true);
  const names = listed(dissenting.map(({ model }) => memberName(model)));
  const dissent =
    dissenting.length === 0
      ? 'none dissents'
      : `${names} ${dissenting.length === 1 ? 'dissents' : 'dissent'}`;
  return `${counted(forecasts, 'forecast')} with reasons and critiques; ${dissent}`;
}

function Synthesis({ synthesis }: { synthesis: SynthesisView }) {
  return (
    <>
      <h3>Synthesis by {memberName(synthesis.model)}, the chairman</h3>
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
  /** Texts of a model, rendered as plain text. */
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
            // The key is the index, because a model may repeat a text.
            <li key={index} className="as-written">
              {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
