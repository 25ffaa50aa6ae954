import type { TrackRecordView } from '../../contract/track-record.js';
import { grouped } from '../shared/format.js';
import { Part } from '../shared/part.js';

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

/** What nobody needs to believe us. */
export function HowToCheckPart({ record }: { readonly record: TrackRecordView['record'] }) {
  return (
    <Part id="check" title="Check it yourself">
      <p>
        Every forecast is frozen when it is made, together with the prices it saw, and chained to the one
        before by its hash. Note the head below: as long as a later chain runs through it, nothing before it
        was changed, added or left out.
      </p>
      <dl className="proof">
        <div>
          <dt>Forecasts in the chain</dt>
          <dd className="number">{grouped(record.entries)}</dd>
        </div>
        <div>
          <dt>Head of the chain</dt>
          <dd>{record.head === null ? 'none yet' : <code className="hash">{record.head}</code>}</dd>
        </div>
        <div>
          <dt>One row a graded report</dt>
          <dd>
            <a href="/api/stats/track-record/reports">Download the rows (JSON)</a>: every figure on this page
            can be worked out from them.
          </dd>
        </div>
        <div>
          <dt>These figures for programs</dt>
          <dd>
            <a href="/api/stats/track-record">The track record as JSON</a>
          </dd>
        </div>
        <div>
          <dt>Redo every hash</dt>
          <dd>
            <code>npm run council -- record verify</code>, by whoever runs the service.
          </dd>
        </div>
      </dl>
    </Part>
  );
}
