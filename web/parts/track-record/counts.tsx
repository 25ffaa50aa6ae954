import type { TrackRecordView } from '../../../contract/track-record.js';
import { grouped } from '../format.js';
import { Part } from '../part.js';

type Counts = TrackRecordView['counts'];

const meanings: readonly (readonly [keyof Counts, name: string, meaning: string])[] = [
  ['completed', 'completed', 'Reports delivered. Each is kept from that moment on, whatever it says.'],
  ['graded', 'graded', 'The event was decided, and the report is scored below.'],
  ['pending', 'pending', 'The event is not decided yet.'],
  ['void', 'void', 'The market was called off: there is nothing to score.'],
  ['fifty_fifty', 'half and half', 'The market paid out both sides alike: not scored.'],
  ['disputed', 'disputed', 'How it ended is contested: not scored until that is settled.'],
  ['failed', 'failed', 'Runs that ended without a report. Whoever paid was paid back.'],
];

/** Every report there is, and what became of it. */
export function CountsPart({ counts }: { readonly counts: Counts }) {
  return (
    <Part id="counts" title="Every report is counted">
      <dl className="counts">
        {meanings.map(([state, name, meaning]) => (
          <div key={state}>
            <dt>{name}</dt>
            <dd className="count">{grouped(counts[state])}</dd>
            <dd className="muted small">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="muted small">
        Completed is graded, pending, void, half and half, and disputed together. Failed runs come on top.
      </p>
    </Part>
  );
}
