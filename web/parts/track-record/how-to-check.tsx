import type { TrackRecordView } from '../../../contract/track-record.js';
import { grouped } from '../format.js';
import { Part } from '../part.js';

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
