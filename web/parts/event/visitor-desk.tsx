import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../api/api-context.js';
import { pricingQuery } from '../../api/queries.js';
import { credits } from '../format.js';
import { Loading } from '../loading.js';
import { ProblemNotice } from '../problem-notice.js';

interface VisitorDeskProps {
  readonly eventId: string;
  /** It is known by now that nobody is signed in. */
  readonly known: boolean;
}

/** What a report costs, for whoever is not signed in. */
export function VisitorDesk({ eventId, known }: VisitorDeskProps) {
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
