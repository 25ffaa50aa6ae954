import { useEffect, useRef } from 'react';
import type { BatchView } from '../../contract/batches/batch-shapes.js';
import { minute } from '../shared/format.js';
import { Notice } from '../shared/notice.js';
import { Part } from '../shared/part.js';
import { BatchActions } from './batch-actions.js';
import { BatchRows } from './batch-rows.js';
import {
  batchTitle,
  doneText,
  pauseText,
  rowsDone,
  spentText,
  statesText,
  statusText,
} from './format-batches.js';
import { ResultsFiles } from './results-files.js';

/** How far a batch is, what can be done with it, and what became of its events. */
export function Batch({ batch }: { readonly batch: BatchView }) {
  const pause = pauseText(batch);
  const headingRef = useFocusIfLost(batch.status);
  return (
    <>
      <h1 className="any" ref={headingRef} tabIndex={-1}>
        {batchTitle(batch)}
      </h1>
      <p className="muted">
        Created on <time dateTime={batch.created_at}>{minute(batch.created_at)}</time>
        {batch.ended_at === null ? null : (
          <>
            , ended on <time dateTime={batch.ended_at}>{minute(batch.ended_at)}</time>
          </>
        )}
      </p>
      <p role="status">{statusText(batch)}</p>
      {pause === null ? null : (
        <Notice tone="warn" title={pause.why}>
          {pause.whatToDo}
        </Notice>
      )}
      <Progress batch={batch} />
      <BatchActions batch={batch} />
      {batch.status === 'completed' ? <ResultsFiles batch={batch} /> : null}
      <Part id="rows" title="Events">
        <BatchRows batch={batch} />
      </Part>
    </>
  );
}

/** A batch that ends takes the buttons away, and with them the focus. */
function useFocusIfLost(status: BatchView['status']) {
  const ref = useRef<HTMLHeadingElement>(null);
  const shown = useRef(status);
  useEffect(() => {
    if (shown.current !== status && document.activeElement === document.body) ref.current?.focus();
    shown.current = status;
  }, [status]);
  return ref;
}

function Progress({ batch }: { readonly batch: BatchView }) {
  const { rows, credits } = batch;
  return (
    <div className="batch-progress">
      <p>
        {doneText(batch)}: {statesText(rows)}.
      </p>
      <progress aria-label="Rows done" max={rows.total} value={rowsDone(rows)} />
      <p>{spentText(batch)}.</p>
      <meter aria-label="Credits spent of the budget" min={0} max={credits.budget} value={credits.spent} />
    </div>
  );
}
