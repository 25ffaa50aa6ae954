import { counted, listed, memberName } from '../../shared/format.js';
import { FoldedPart } from '../../shared/part.js';
import type { CompletedView } from '../completed-view.js';
import { MemberColumn } from './member-column.js';
import { type MemberStory, memberStories } from './member-stories.js';
import { MemberTable } from './member-table.js';

/** The forecasts, opinions, reviews and rankings of the members. */
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
