import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { EventView } from '../../contract/events.js';
import { useApi } from '../api/api.js';
import { eventQuery, pricingQuery } from '../api/queries.js';
import type { Found, Loading as LoadingPage, Page } from '../app/page.js';
import { EventFacts, Rules } from '../event/event-facts.js';
import { MarketTables } from '../event/market-tables.js';
import { PurchasePanel } from '../event/purchase/purchase-panel.js';
import { useTitle } from '../shared/hooks.js';
import { Loading, Missing, ProblemNotice } from '../shared/notice.js';

export const eventPage: Page = {
  path: '/events/:eventId',
  title: 'Event · Council Report',
  status: 200,
  Content,
  load,
};

const titleOf = (event: EventView) => `${event.title} · Council Report`;

async function load({ api, queryClient, parameters }: LoadingPage): Promise<Found> {
  const query = eventQuery(api, parameters['eventId'] ?? '');
  await Promise.all([queryClient.prefetchQuery(query), queryClient.prefetchQuery(pricingQuery(api))]);
  const event = queryClient.getQueryData(query.queryKey);
  if (event === undefined) return { status: 503 };
  return event === null ? { status: 404 } : { title: titleOf(event) };
}

function Content() {
  const { eventId = '' } = useParams();
  const event = useQuery(eventQuery(useApi(), eventId));
  useTitle(event.data == null ? undefined : titleOf(event.data));
  if (event.data === undefined) {
    return event.isError ? (
      <ProblemNotice error={event.error} onRetry={() => void event.refetch()} />
    ) : (
      <Loading what="the event" />
    );
  }
  if (event.data === null) return <Missing what="event">It may have been taken off the market.</Missing>;
  return <Shown event={event.data} />;
}

function Shown({ event }: { event: EventView }) {
  return (
    <article className="event">
      <EventFacts event={event} />
      <div className="event-columns">
        <section className="event-markets" aria-labelledby="markets">
          <h2 id="markets">What the market says</h2>
          <MarketTables event={event} />
          <Rules event={event} />
        </section>
        <section className="event-desk card" aria-labelledby="run">
          <h2 id="run">{event.status === 'open' ? 'Put it before the council' : 'It is over'}</h2>
          <PurchasePanel event={event} />
        </section>
      </div>
    </article>
  );
}
