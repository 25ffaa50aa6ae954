import type { RuntimeView } from '../../../contract/runtime.js';
import { memberName } from '../format.js';
import { Part } from '../part.js';

interface SummaryPartProps {
  readonly summary: string | null;
  readonly chairman: RuntimeView['chairman'];
}

/** The words of the chairman. */
export function SummaryPart({ summary, chairman }: SummaryPartProps) {
  return (
    <Part id="summary" title="Summary">
      <blockquote className="summary as-written">{summary}</blockquote>
      <p className="muted small">
        {memberName(chairman)} wrote this in the chair. It is one member’s reading: every number on this page
        is computed from all members’ forecasts, and no text can move one.
      </p>
    </Part>
  );
}
