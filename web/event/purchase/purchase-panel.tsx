import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { EventView } from '../../../contract/events.js';
import { useSession } from '../../account/use-session.js';
import { useApi } from '../../api/api.js';
import { reportsQuery } from '../../api/private-queries.js';
import { pricingQuery } from '../../api/queries.js';
import { creditsText } from '../../shared/format.js';
import { ProblemNotice } from '../../shared/notice.js';
import { eventPath, signInPath } from '../../shared/paths.js';
import { QueryResult } from '../../shared/query-result.js';
import { MemberPanel } from './member-panel.js';

/** Sells a report on the event. Until the browser knows who is signed in, it shows only the list prices. */
export function PurchasePanel({ event }: { readonly event: EventView }) {
  const session = useSession();
  if (session.isError) return <ProblemNotice error={session.error} onRetry={() => void session.refetch()} />;
  const isMember = session.data !== undefined && session.data !== null;
  if (event.status === 'closed') return <ClosedPanel event={event} isMember={isMember} />;
  if (isMember) return <MemberPanel eventId={event.event_id} />;
  return <VisitorPanel eventId={event.event_id} isSessionKnown={session.data !== undefined} />;
}

/**
 * Links to the member's own report, if it is one of the latest. It is not looked up by a price check: the API refuses one
 * of a closed event, and browsers write every refusal to their console.
 */
function ClosedPanel({ event, isMember }: { event: EventView; isMember: boolean }) {
  const latest = useQuery({ ...reportsQuery(useApi(), 1, 'completed'), enabled: isMember });
  const reportId = latest.data?.reports.find(({ event_id: of }) => of === event.event_id)?.id;
  return (
    <>
      <p>
        {event.markets.length === 0
          ? 'There is nothing to forecast until the venue lists a market that stays.'
          : 'This event is no longer traded. There are no prices to compare the council with, so no new report can be run.'}
      </p>
      <p>
        {reportId === undefined ? (
          <Link to="/">Search the open events</Link>
        ) : (
          <Link to={`/reports/${reportId}`}>Read your report</Link>
        )}
      </p>
    </>
  );
}

/** The list prices, and the way to the sign-in once it is known that nobody is signed in. */
function VisitorPanel({ eventId, isSessionKnown }: { eventId: string; isSessionKnown: boolean }) {
  const query = useQuery(pricingQuery(useApi()));
  return (
    <QueryResult query={query} what="the price">
      {({ fresh_credits: fresh, cached_credits: cached, byok_credits: byok }) => (
        <>
          <p className="price-now">
            <strong>{creditsText(fresh)}</strong> per report
          </p>
          <ul className="plain">
            <li>Your first report each week is free.</li>
            <li>{creditsText(cached)} if the report was already run today.</li>
            <li>{creditsText(byok)} with your own provider keys.</li>
          </ul>
          {isSessionKnown ? (
            <p>
              <Link className="button" to={signInPath(eventPath(eventId))}>
                Sign in to run a report
              </Link>
            </p>
          ) : (
            <noscript>Running a report needs JavaScript. You can read the sample report without it.</noscript>
          )}
        </>
      )}
    </QueryResult>
  );
}
