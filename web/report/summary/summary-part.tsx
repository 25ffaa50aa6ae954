import type { SynthesisView } from '../../../contract/deliberation.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { memberName } from '../../shared/format.js';
import { FoldedPart } from '../../shared/part.js';

interface SummaryPartProps {
  readonly summary: string | null;
  readonly runtime: Pick<RuntimeView, 'chairman' | 'synthesis'>;
  readonly synthesis: SynthesisView | null;
}

/** What the chairman concludes from the answers of all members, and where they agree and differ. */
export function SummaryPart({ summary, runtime, synthesis }: SummaryPartProps) {
  const author = `${memberName(runtime.chairman)}, the chairman`;
  return (
    <FoldedPart id="summary" title="Summary" inside={`By ${author}`}>
      <blockquote className="summary as-written">{summary}</blockquote>
      <p className="muted small">
        Written by {author}
        {replacedText(runtime.synthesis)}. It is the view of one member. Every number on this page is
        calculated from the forecasts of all members; no text changes a number.
      </p>
      {synthesis === null ? null : (
        <div className="synthesis">
          <TextList title="Agreements" texts={synthesis.agreements} />
          <TextList title="Disagreements" texts={synthesis.disagreements} />
          <TextList title="Key uncertainties" texts={synthesis.key_uncertainties} />
        </div>
      )}
    </FoldedPart>
  );
}

/** ", after Claude timed out after 10 s". Empty if the first chairman wrote it. */
function replacedText(synthesis: RuntimeView['synthesis']): string {
  const { replaced } = synthesis;
  if (replaced.length === 0) return '';
  return `, after ${replaced.map(({ model, reason }) => `${memberName(model)} ${reason}`).join(' and ')}`;
}

interface TextListProps {
  readonly title: string;
  /** Texts of a model, rendered as plain text. */
  readonly texts: readonly string[];
}

function TextList({ title, texts }: TextListProps) {
  return (
    <div className="text-list">
      <h3>{title}</h3>
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
