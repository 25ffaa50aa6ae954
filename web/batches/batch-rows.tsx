import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { BatchRowView, BatchView } from '../../contract/batches/batch-shapes.js';
import { useApi } from '../api/api.js';
import { grouped } from '../shared/format.js';
import { eventPath } from '../shared/paths.js';
import { QueryResult } from '../shared/query-result.js';
import { TableHead } from '../shared/table-head.js';
import { batchRowsQuery, type RowFilter } from './batch-queries.js';
import { reasonText, rowKindText, rowStates } from './format-batches.js';

/** The rows of a batch. Which of them is in the address. */
export function BatchRows({ batch }: { readonly batch: BatchView }) {
  const [parameters] = useSearchParams();
  const filter = filterIn(parameters);
  const query = useQuery({ ...batchRowsQuery(useApi(), batch, filter), placeholderData: keepPreviousData });
  return (
    <>
      <Filters batch={batch} state={filter.state} />
      <QueryResult query={query} what="the events" keepData>
        {({ rows, next }) => (
          <>
            {rows.length === 0 ? (
              <p role="status">There are no such rows.</p>
            ) : (
              <div className="scroll" role="region" aria-label="Rows" tabIndex={0}>
                <Rows rows={rows} isBusy={query.isPlaceholderData} />
              </div>
            )}
            <RowPager filter={filter} next={next} />
          </>
        )}
      </QueryResult>
    </>
  );
}

function filterIn(parameters: URLSearchParams): RowFilter {
  const after = Number(parameters.get('after') ?? '0');
  return {
    state: rowStates.find(state => state === parameters.get('state')) ?? null,
    after: Number.isSafeInteger(after) && after > 0 ? after : 0,
  };
}

function queryOf({ state, after }: RowFilter): string {
  const parameters = new URLSearchParams();
  if (state !== null) parameters.set('state', state);
  if (after > 0) parameters.set('after', String(after));
  return `?${parameters.toString()}#rows`;
}

function Filters({ batch: { rows }, state }: { batch: BatchView; state: RowFilter['state'] }) {
  return (
    <nav className="filters" aria-label="Filter by state">
      <ul>
        {[null, ...rowStates].map(each => (
          <li key={each}>
            <Link
              to={queryOf({ state: each, after: 0 })}
              {...(each === state ? { 'aria-current': 'true' } : {})}
            >
              {each ?? 'all'} {grouped(each === null ? rows.total : rows[each])}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function RowPager({ filter, next }: { filter: RowFilter; next: number | null }) {
  if (filter.after === 0 && next === null) return null;
  return (
    <nav className="pager" aria-label="Pages of rows">
      {filter.after > 0 ? <Link to={queryOf({ ...filter, after: 0 })}>← First rows</Link> : <span />}
      {next === null ? <span /> : <Link to={queryOf({ ...filter, after: next })}>Next →</Link>}
    </nav>
  );
}

function Rows({ rows, isBusy }: { rows: readonly BatchRowView[]; isBusy: boolean }) {
  return (
    <table aria-busy={isBusy}>
      <caption className="unseen">Events of the batch</caption>
      <TableHead texts={['Event', 'State', 'Kind', 'Report']} numbers={['Credits']} />
      <tbody>
        {rows.map(row => (
          <Row key={row.position} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { readonly row: BatchRowView }) {
  const { event_id: eventId, state, code, report_id: reportId, credits } = row;
  return (
    <tr>
      <th scope="row" className="any">
        <Link to={eventPath(eventId)}>{eventId}</Link>
      </th>
      <td>
        {state}
        {code === null ? null : <span className="of muted">{reasonText(code)}</span>}
      </td>
      <td>{rowKindText(row)}</td>
      <td>{reportId === null ? null : <Link to={`/reports/${reportId}`}>Report {reportId}</Link>}</td>
      <td className="number">{grouped(credits)}</td>
    </tr>
  );
}
