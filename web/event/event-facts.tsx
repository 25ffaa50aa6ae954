import type { EventView } from '../../contract/events.js';
import { day, tradedText } from '../shared/format.js';

/** The header of an event. */
export function EventFacts({ event }: { readonly event: EventView }) {
  const { category, title, closes_at: closesAt } = event;
  const isClosed = event.status === 'closed' && event.markets.length > 0;
  return (
    <header className="event-head">
      {category === null ? null : <p className="eyebrow">{category}</p>}
      <h1>{title}</h1>
      <p className="facts">
        <StatusPill event={event} />
        {closesAt === null ? null : (
          <span>
            {isClosed ? 'Trading was scheduled to end on' : 'Trading ends on'}{' '}
            <time dateTime={closesAt}>{day(closesAt)}</time>
          </span>
        )}
        <span>{tradedText(event)}</span>
        <MarketLink url={event.url} />
      </p>
    </header>
  );
}

/** An event without markets is `closed` too, because nothing of it can be forecast. */
function StatusPill({ event: { status, markets } }: { readonly event: EventView }) {
  if (status === 'open') return <span className="pill good">Open</span>;
  return <span className="pill warn">{markets.length === 0 ? 'Not traded yet' : 'Closed'}</span>;
}

/** The URL comes from the market, so only https is linked; `javascript:` would run as this site. */
function MarketLink({ url }: { url: string | null }) {
  if (url === null || !url.startsWith('https://')) return null;
  return (
    <a href={url} rel="noopener noreferrer">
      View on the market <span aria-hidden="true">↗</span>
    </a>
  );
}

/** The market's own resolution rules, which the council reads too. */
export function Rules({ event }: { readonly event: EventView }) {
  if (event.description === '') return null;
  return (
    <details className="rules">
      <summary>Resolution rules</summary>
      <p className="as-written">{event.description}</p>
    </details>
  );
}
