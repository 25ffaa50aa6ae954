import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { LedgerEntryView } from '../../../contract/credits.js';
import { useApi } from '../../api/api.js';
import { keysQuery, ledgerQuery } from '../../api/private-queries.js';
import { day, grouped } from '../../shared/format.js';
import { Pager } from '../../shared/pager.js';
import { Part } from '../../shared/part.js';
import { QueryResult } from '../../shared/query-result.js';
import { pageIn } from '../../shared/read-input.js';
import { TableHead } from '../../shared/table-head.js';
import { entryText, poolNames } from './format-ledger.js';
import { useRefetchAfterCheckout } from './use-checkout.js';

/** Every change of the balance, newest first. */
export function LedgerPart() {
  const [search] = useSearchParams();
  const page = pageIn(search);
  const query = useQuery({
    ...ledgerQuery(useApi(), page),
    placeholderData: keepPreviousData,
    refetchInterval: useRefetchAfterCheckout(),
  });
  return (
    <Part id="ledger" title="Transactions">
      <QueryResult query={query} what="your transactions">
        {({ entries, total, per_page: perPage }) =>
          total === 0 ? (
            <p>No transactions yet.</p>
          ) : (
            <div aria-busy={query.isPlaceholderData}>
              <Entries entries={entries} total={total} />
              <Pager page={page} hasMore={page * perPage < total} hash="#ledger" />
            </div>
          )
        }
      </QueryResult>
    </Part>
  );
}

function Entries({ entries, total }: { entries: readonly LedgerEntryView[]; total: number }) {
  const keys = useQuery(keysQuery(useApi())).data?.keys;
  return (
    <table className="ledger">
      <caption>
        {grouped(total)} in total, newest first. Each pool has its own balance: the weekly grant is kept apart
        from purchased credits.
      </caption>
      <TableHead texts={['Date', 'Transaction']} numbers={['Credits', 'Balance']} />
      <tbody>
        {entries.map(entry => (
          <Entry
            key={entry.id}
            entry={entry}
            keyName={
              keys === undefined || entry.api_key_id === null
                ? null
                : (keys.find(({ id }) => id === entry.api_key_id)?.name ?? undefined)
            }
          />
        ))}
      </tbody>
    </table>
  );
}

interface EntryProps {
  readonly entry: LedgerEntryView;
  /** Null without a key, or while the keys are loading; undefined for a revoked key. */
  readonly keyName: string | null | undefined;
}

function Entry({ entry, keyName }: EntryProps) {
  return (
    <tr>
      <td>
        {day(entry.at)} <span className="of muted">{entry.at.slice(11, 16)} UTC</span>
      </td>
      <td className="any">
        {entryText(entry)}
        <span className="of muted">
          {poolNames[entry.pool]}
          {entry.report_id === null ? null : (
            <>
              {', '}
              <Link to={`/reports/${entry.report_id}`}>report {entry.report_id}</Link>
            </>
          )}
          {keyName === null
            ? null
            : keyName === undefined
              ? ', with a revoked key'
              : `, with key “${keyName}”`}
        </span>
      </td>
      <td className="number">{signedCredits(entry.amount_credits)}</td>
      <td className="number">{grouped(entry.balance_after)}</td>
    </tr>
  );
}

const signedCredits = (amount: number) => (amount > 0 ? `+${grouped(amount)}` : grouped(amount));
