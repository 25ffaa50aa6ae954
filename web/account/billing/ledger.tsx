import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { LedgerEntryView } from '../../../contract/credits.js';
import { useApi } from '../../api/api.js';
import { keysQuery, ledgerQuery } from '../../api/private-queries.js';
import { day, grouped } from '../../shared/format.js';
import { Loading, ProblemNotice } from '../../shared/notice.js';
import { Pager } from '../../shared/pager.js';
import { Part } from '../../shared/part.js';
import { pageIn } from '../../shared/read-input.js';
import { entryWords, poolWords } from './format-ledger.js';
import { useRefetchAfterCheckout } from './use-checkout.js';

/** Everything that ever moved the balance, newest first. */
export function LedgerPart() {
  const [search] = useSearchParams();
  const page = pageIn(search);
  const ledger = useQuery({
    ...ledgerQuery(useApi(), page),
    placeholderData: keepPreviousData,
    refetchInterval: useRefetchAfterCheckout(),
  });
  return (
    <Part id="ledger" title="Every movement">
      {ledger.isError ? (
        <ProblemNotice error={ledger.error} onRetry={() => void ledger.refetch()} />
      ) : ledger.data === undefined ? (
        <Loading what="your ledger" />
      ) : ledger.data.total === 0 ? (
        <p>Nothing has moved yet.</p>
      ) : (
        <div aria-busy={ledger.isPlaceholderData}>
          <Entries entries={ledger.data.entries} total={ledger.data.total} />
          <Pager page={page} hasMore={page * ledger.data.per_page < ledger.data.total} hash="#ledger" />
        </div>
      )}
    </Part>
  );
}

function Entries({ entries, total }: { entries: readonly LedgerEntryView[]; total: number }) {
  const keys = useQuery(keysQuery(useApi())).data?.keys;
  return (
    <table className="ledger">
      <caption>
        {grouped(total)} in all, newest first. Each pool has a balance of its own; the weekly grant is never
        mixed with what was bought.
      </caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col" className="number">
            Credits
          </th>
          <th scope="col" className="number">
            Balance
          </th>
        </tr>
      </thead>
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
  /** Null for none, or none known yet; undefined for a key that was revoked. */
  readonly keyName: string | null | undefined;
}

function Entry({ entry, keyName }: EntryProps) {
  return (
    <tr>
      <td>
        {day(entry.at)} <span className="of muted">{entry.at.slice(11, 16)} UTC</span>
      </td>
      <td className="any">
        {entryWords(entry)}
        <span className="of muted">
          {poolWords[entry.pool]}
          {entry.report_id === null ? null : (
            <>
              {', '}
              <Link to={`/reports/${entry.report_id}`}>report {entry.report_id}</Link>
            </>
          )}
          {keyName === null ? null : keyName === undefined ? ', by a revoked key' : `, by key “${keyName}”`}
        </span>
      </td>
      <td className="number">{signedCredits(entry.amount_credits)}</td>
      <td className="number">{grouped(entry.balance_after)}</td>
    </tr>
  );
}

const signedCredits = (amount: number) => (amount > 0 ? `+${grouped(amount)}` : grouped(amount));
