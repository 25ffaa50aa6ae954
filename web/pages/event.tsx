import { useQuery } from '@tanstack/react-query';
import type { EventView } from '../../contract/events.js';
import { useApi } from '../api/api.js';
import { eventQuery } from '../api/queries.js';
import type { PageProps } from '../app/lazy-page.js';
import { EventFacts, Rules } from '../event/event-facts.js';
import { EventPrices } from '../event/event-prices.js';
import { MarketTables } from '../event/market-tables.js';
import { PurchasePanel } from '../event/purchase/purchase-panel.js';
import { pageTitle } from '../shared/format.js';
import { useTitle } from '../shared/hooks.js';
import { Missing } from '../shared/notice.js';
import { QueryResult } from '../shared/query-result.js';

/** An event: its prices and rules, and the panel that sells a report on it. */
export function EventPage({ parameters: { eventId = '' } }: PageProps) {
  const query = useQuery(eventQuery(useApi(), eventId));
  useTitle(query.data == null ? undefined : pageTitle(query.data.title));
  return (
    <QueryResult query={query} what="the event" keepData>
      {event =>
        event === null ? (
          <Missing what="event">The market may have removed it.</Missing>
        ) : (
          <Event event={event} />
        )
      }
    </QueryResult>
  );
}

function purchaseTitle({ status, markets }: EventView): string {
  if (status === 'open') return 'Run a report';
  return markets.length === 0 ? 'No report can be run yet' : 'Event closed';
}

function Event({ event }: { event: EventView }) {
  return (
    <article className="event">
      <EventFacts event={event} />
      <div className="event-columns">
        <section className="event-markets" aria-labelledby="markets">
          <h2 id="markets">Market prices</h2>
          <MarketTables event={event} />
          <EventPrices event={event} />
          <Rules event={event} />
        </section>
        <section className="event-purchase card" aria-labelledby="run">
          <h2 id="run">{purchaseTitle(event)}</h2>
          <PurchasePanel event={event} />
        </section>
      </div>
    </article>
  );
}
