import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BatchView } from '../../contract/batches/batch-shapes.js';
import { useApi } from '../api/api.js';
import { minute } from '../shared/format.js';
import { Pager } from '../shared/pager.js';
import { QueryResult } from '../shared/query-result.js';
import { batchesQuery } from './batch-queries.js';
import { batchPath, batchTitle, doneText, pauseText, spentText } from './format-batches.js';

/** The batches of the account, newest first. */
export function BatchList({ page }: { readonly page: number }) {
  const query = useQuery({ ...batchesQuery(useApi(), page), placeholderData: keepPreviousData });
  return (
    <section className="part" aria-labelledby="created" aria-busy={query.isPlaceholderData}>
      <h2 id="created">Created so far</h2>
      <QueryResult query={query} what="your batches" keepData>
        {({ batches, total, per_page: perPage }) => (
          <>
            {batches.length === 0 ? (
              <p role="status">
                {total === 0 ? 'You have no batches.' : 'There are no batches on this page.'}
              </p>
            ) : (
              <ul className="report-list">
                {batches.map(batch => (
                  <BatchItem key={batch.batch_id} batch={batch} />
                ))}
              </ul>
            )}
            <Pager page={page} hasMore={page * perPage < total} />
          </>
        )}
      </QueryResult>
    </section>
  );
}

function BatchItem({ batch }: { readonly batch: BatchView }) {
  const { batch_id: id, status, created_at: createdAt } = batch;
  return (
    <li className="report-row">
      <h3 className="any">
        <Link to={batchPath(id)}>{batchTitle(batch)}</Link>
      </h3>
      <p className="row-verdict">
        {doneText(batch)}, {spentText(batch)}
      </p>
      <p className="facts">
        <span className={`pill ${statusTones[status]}`}>{status}</span>
        <time dateTime={createdAt}>{minute(createdAt)}</time>
        <span>{pauseText(batch)?.why}</span>
      </p>
    </li>
  );
}

const statusTones = { running: 'good', paused: 'warn', completed: '', cancelled: '' } as const;
