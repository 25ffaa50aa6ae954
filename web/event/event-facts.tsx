import type { EventView } from '../../contract/events.js';
import { day, volume } from '../shared/format.js';

/** What the event is, above everything else. */
export function EventFacts({ event }: { readonly event: EventView }) {
  const { category, title, closes_at: closesAt, status } = event;
  const isClosed = status === 'closed';
  return (
    <header className="event-head">
      {category === null ? null : <p className="eyebrow">{category}</p>}
      <h1>{title}</h1>
      <p className="facts">
        {isClosed ? <span className="pill warn">Closed</span> : <span className="pill good">Open</span>}
        {closesAt === null ? null : (
          <span>
            {isClosed ? 'Trading was meant to end on' : 'Trading ends on'}{' '}
            <time dateTime={closesAt}>{day(closesAt)}</time>
          </span>
        )}
        <span>{volume(event.volume)} traded</span>
        <MarketLink url={event.url} />
      </p>
    </header>
  );
}

/** The address comes from outside: only a plain one is followed. */
function MarketLink({ url }: { url: string | null }) {
  if (url === null || !url.startsWith('https://')) return null;
  return (
    <a href={url} rel="noopener noreferrer">
      See it at the market <span aria-hidden="true">↗</span>
    </a>
  );
}

/** The market's own words on what decides the event; the council is told the same. */
export function Rules({ event }: { readonly event: EventView }) {
  if (event.description === '') return null;
  return (
    <details className="rules">
      <summary>Rules: what decides it</summary>
      <p className="as-written">{event.description}</p>
    </details>
  );
}
