import type { TrackRecordView } from '../../contract/track-record.js';
import { grouped } from '../shared/format.js';
import { Part } from '../shared/part.js';

type Counts = TrackRecordView['counts'];

const meanings: readonly (readonly [keyof Counts, name: string, meaning: string])[] = [
  ['sold', 'sold', 'Runs that somebody paid for. Each is entered in the record before it ends.'],
  ['completed', 'completed', 'Reports delivered. All of them are kept, whatever they say.'],
  ['graded', 'graded', 'The event is resolved, and the report is scored below.'],
  ['pending', 'pending', 'The event is not resolved yet.'],
  ['void', 'void', 'The market ended without a winner. There is nothing to score.'],
  ['fifty_fifty', 'half and half', 'The market paid half to each side. Not scored.'],
  ['disputed', 'disputed', 'The resolution is disputed. Not scored until it is settled.'],
  ['failed', 'failed', 'Runs that ended without a report. Their charges were refunded.'],
];

/** All reports by state. */
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
        Completed is the sum of graded, pending, void, half and half, and disputed. Sold is the sum of
        completed, failed, and the runs that have not ended.
      </p>
    </Part>
  );
}

/** How to verify the record independently. */
export function VerifyPart({ record, proof }: Pick<TrackRecordView, 'record' | 'proof'>) {
  return (
    <Part id="verify" title="Verify it yourself">
      <p>
        Every sale, every forecast with the market’s prices and every failure is an entry, linked to the one
        before it by a hash. Write down the head below. As long as a later chain contains it, no earlier entry
        was changed, added or removed.
      </p>
      <ForStrangers />
      <dl className="proof">
        <div>
          <dt>Entries of the chain</dt>
          <dd className="number">{grouped(record.entries)}</dd>
        </div>
        <div>
          <dt>Head of the chain</dt>
          <dd>{record.head === null ? 'none yet' : <code className="hash">{record.head}</code>}</dd>
        </div>
        <div>
          <dt>Signed before the outcome</dt>
          <dd>
            <span className="number">{grouped(proof.stamped_before_outcome)}</span> of {grouped(proof.graded)}{' '}
            graded forecasts. The others are unproven: their dates rest on the word of the operator.
          </dd>
        </div>
        <div>
          <dt>One row per graded report</dt>
          <dd>
            <a href="/api/stats/track-record/reports">Download the rows (JSON)</a>. Every figure on this page
            can be recalculated from them.
          </dd>
        </div>
        <div>
          <dt>These figures as JSON</dt>
          <dd>
            <a href="/api/stats/track-record">The track record as JSON</a>
          </dd>
        </div>
        <div>
          <dt>Recalculate every hash</dt>
          <dd>
            <code>npm run council -- record verify</code>, for the operator of the service.
          </dd>
        </div>
      </dl>
    </Part>
  );
}

/** Needs no account, and no help of the operator. */
function ForStrangers() {
  return (
    <p>
      <a href="/api/stats/track-record/chain?limit=100">The chain</a> is public: each entry is a sealed
      commitment to its forecast, which is shown once the event has closed, and{' '}
      <a href="/api/stats/track-record/timestamps?limit=100">an independent authority</a> signs the head
      within minutes of each sale, if the operator has set one up. To check all of it, run{' '}
      <code>python3 verify-record.py</code> with the address of this site; the program is in{' '}
      <code>examples/</code> of the source code.
    </p>
  );
}
