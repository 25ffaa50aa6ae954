import { useQuery } from '@tanstack/react-query';
import { accountBalanceQuery } from '../account/use-session.js';
import { CouncilProblem, useApi } from '../api/api.js';
import { counted, creditsText, grouped } from '../shared/format.js';
import { useFocusOn } from '../shared/hooks.js';
import { Notice } from '../shared/notice.js';
import { TableHead } from '../shared/table-head.js';
import { BatchFailure } from './batch-failure.js';
import { kindCounts, kindNames, reasonText } from './format-batches.js';
import type { BatchCreation, PlannedBatch } from './use-new-batch.js';

interface BatchPlanProps {
  readonly planned: PlannedBatch;
  readonly creation: BatchCreation;
}

/** What a batch would cost now, and the button that buys it. */
export function BatchPlan({ planned, creation }: BatchPlanProps) {
  const { rows, credits } = planned.plan;
  const headingRef = useFocusOn<HTMLHeadingElement>(planned);
  const refused = rows.filter(({ kind }) => kind === 'refused');
  const waiting = rows.filter(({ kind, code }) => kind !== 'refused' && code !== undefined);
  return (
    <section className="card batch-plan" aria-labelledby="plan">
      <h3 id="plan" ref={headingRef} tabIndex={-1}>
        What it costs now
      </h3>
      <table>
        <caption className="unseen">Reports by kind</caption>
        <TableHead texts={['Kind']} numbers={['Reports', 'Credits']} />
        <tbody>
          {kindCounts(rows).map(({ kind, count, credits: sum }) => (
            <tr key={kind}>
              <th scope="row">{kindNames[kind]}</th>
              <td className="number">{grouped(count)}</td>
              <td className="number">{grouped(sum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        All of them cost <strong>{creditsText(credits.expected)}</strong> now. The batch spends at most{' '}
        <strong>{creditsText(credits.at_most)}</strong>, also if prices rise. <OwnBalance />
      </p>
      {credits.expected > planned.request.budget_credits ? (
        <Notice tone="warn" title="The budget is too small.">
          It pays for only some of these reports. The batch then pauses until you raise it.
        </Notice>
      ) : null}
      <Reasons title={`${counted(refused.length, 'event')} refused`} rows={refused} />
      <Reasons title={`${counted(waiting.length, 'report')} would wait`} rows={waiting} />
      {refused.length === rows.length ? (
        <p>There is nothing to buy.</p>
      ) : (
        <BuyButton planned={planned} creation={creation} count={rows.length - refused.length} />
      )}
    </section>
  );
}

function OwnBalance() {
  const { data } = useQuery(accountBalanceQuery(useApi()));
  return data === undefined ? null : `You have ${creditsText(data.balance_credits)}.`;
}

interface ReasonsProps {
  readonly title: string;
  readonly rows: PlannedBatch['plan']['rows'];
}

function Reasons({ title, rows }: ReasonsProps) {
  if (rows.length === 0) return null;
  return (
    <details className="more" open>
      <summary>{title}</summary>
      <ul>
        {rows.map(({ event_id: id, code = '' }) => (
          <li key={id} className="any">
            <code>{id}</code>: {reasonText(code)}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Buys what was checked, which the form may no longer say. */
function BuyButton({ planned: { request, plan }, creation, count }: BatchPlanProps & { count: number }) {
  const buy = () => {
    if (!creation.isPending) creation.mutate(request);
  };
  return (
    <>
      <p>
        <button
          className="button"
          type="button"
          disabled={creation.isPending || creation.isSuccess}
          onClick={buy}
        >
          {creation.isPending
            ? 'Sending …'
            : `Buy ${counted(count, 'report')} · at most ${creditsText(plan.credits.at_most)}`}
        </button>
      </p>
      {creation.isError ? <CreationFailure error={creation.error} request={request} /> : null}
    </>
  );
}

function CreationFailure({ error, request }: { error: unknown; request: PlannedBatch['request'] }) {
  const isUnknown =
    error instanceof CouncilProblem && (error.document === null || error.document.outcome === 'unknown');
  if (!isUnknown) return <BatchFailure error={error} events={request.events} />;
  return (
    <Notice tone="bad" title="No response.">
      It is unknown whether the batch was created. Press the button again: it is created only once.
    </Notice>
  );
}
