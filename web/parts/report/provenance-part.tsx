import { Link } from 'react-router';
import type { ReportView } from '../../../contract/reports.js';
import { memberName, minute } from '../format.js';
import { Part } from '../part.js';
import type { CompletedProps } from './completed-report.js';
import { SnapshotTable } from './snapshot-table.js';
import { ThresholdTable } from './threshold-table.js';

/** All that the numbers follow from, so that anybody can redo them. */
export function ProvenancePart(completed: CompletedProps) {
  const { report, runtime } = completed;
  return (
    <Part id="provenance" title="How it was made">
      <details>
        <summary>Method, models and record</summary>
        <Facts {...completed} />
      </details>
      <details>
        <summary>Thresholds of the method</summary>
        <ThresholdTable thresholds={runtime.method.thresholds} />
      </details>
      {report.market_snapshot === null ? null : (
        <details>
          <summary>The market as it was frozen for the run</summary>
          <SnapshotTable snapshot={report.market_snapshot} />
        </details>
      )}
    </Part>
  );
}

function Facts({ report, runtime, deliberation }: CompletedProps) {
  const { method } = runtime;
  const models = deliberation.opinions.map(({ model, model_id: id }) => `${memberName(model)} (${id})`);
  return (
    <dl className="provenance">
      <dt>Method</dt>
      <dd>
        {method.name}: {method.pooling}. No text of any model can move a number.
      </dd>
      <dt>Models</dt>
      <dd>{models.join(', ')}</dd>
      <dt>In the chair</dt>
      <dd>{memberName(runtime.chairman)}</dd>
      <dt>Prices taken</dt>
      <dd>
        <time dateTime={runtime.prices_at}>{minute(runtime.prices_at)}</time>,{' '}
        {runtime.quote_age_seconds.toFixed(1)} seconds before the report was drawn
      </dd>
      <dt>Public record</dt>
      <dd>
        <Entry record={report.record} />
      </dd>
    </dl>
  );
}

function Entry({ record }: Pick<ReportView, 'record'>) {
  if (record === null) return 'Not entered yet.';
  return (
    <>
      Entry {record.seq} of the <Link to="/track-record">record that nobody can change</Link>, with the hash{' '}
      <code>{record.hash}</code>
    </>
  );
}
