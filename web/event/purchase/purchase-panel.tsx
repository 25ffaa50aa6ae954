import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { EventView } from '../../../contract/events.js';
import { useApi } from '../../api/api.js';
import { offerQuery, sessionQuery } from '../../api/private-queries.js';
import { pricingQuery } from '../../api/queries.js';
import { credits } from '../../shared/format.js';
import { Loading, ProblemNotice } from '../../shared/notice.js';
import { MemberPanel } from './member-panel.js';

/** Where a report on the event is bought. Who is here is only known in a browser; until then the price is all there is. */
export function PurchasePanel({ event }: { readonly event: EventView }) {
  const session = useQuery({ ...sessionQuery(useApi()), enabled: typeof document !== 'undefined' });
  if (session.isError) return <ProblemNotice error={session.error} onRetry={() => void session.refetch()} />;
  const isMember = session.data !== undefined && session.data !== null;
  if (event.status === 'closed') return <ClosedPanel eventId={event.event_id} isMember={isMember} />;
  if (isMember) return <MemberPanel eventId={event.event_id} />;
  return <VisitorPanel eventId={event.event_id} known={session.data !== undefined} />;
}

interface ClosedDeskProps {
  readonly eventId: string;
  readonly isMember: boolean;
}

/** What is left to do on an event that is over. */
function ClosedPanel({ eventId, isMember }: ClosedDeskProps) {
  const offer = useQuery({ ...offerQuery(useApi(), eventId, 'credits'), enabled: isMember });
  const reportId = offer.data?.check?.report_id;
  return (
    <>
      <p>
        This event no longer trades, so there is no price to hold a council against, and no new report can be
        made.
      </p>
      <p>
        {reportId === undefined ? (
          <Link to="/">Search the open events</Link>
        ) : (
          <Link to={`/reports/${reportId}`}>Read your report of today</Link>
        )}
      </p>
    </>
  );
}

interface VisitorDeskProps {
  readonly eventId: string;
  /** It is known by now that nobody is signed in. */
  readonly known: boolean;
}

/** What a report costs, for whoever is not signed in. */
function VisitorPanel({ eventId, known }: VisitorDeskProps) {
  const pricing = useQuery(pricingQuery(useApi()));
  if (pricing.isError) return <ProblemNotice error={pricing.error} onRetry={() => void pricing.refetch()} />;
  if (pricing.data === undefined) return <Loading what="the price" />;
  const { fresh_credits: fresh, cached_credits: cached, byok_credits: byok } = pricing.data;
  return (
    <>
      <p className="price-now">
        <strong>{credits(fresh)}</strong> a report
      </p>
      <ul className="plain">
        <li>The first one of every week is free.</li>
        <li>{credits(cached)} where somebody has bought the same report today already.</li>
        <li>{credits(byok)} with your own provider keys.</li>
      </ul>
      {known ? (
        <p>
          <Link className="button" to={`/sign-in?${new URLSearchParams({ to: eventPath(eventId) })}`}>
            Sign in to run the council
          </Link>
        </p>
      ) : (
        <noscript>Running a report needs JavaScript; the sample report can be read without.</noscript>
      )}
    </>
  );
}

const eventPath = (eventId: string) => `/events/${encodeURIComponent(eventId)}`;
