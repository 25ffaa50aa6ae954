import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { EventView } from '../../contract/events.js';
import { eventSearchDepthMax } from '../../contract/product.js';
import { useApi } from '../api/api.js';
import { eventsPerPage, eventsQuery } from '../api/queries.js';
import { day, percentText, volume } from '../shared/format.js';
import { Pager } from '../shared/pager.js';
import { eventPath } from '../shared/paths.js';
import { QueryResult } from '../shared/query-result.js';
import { pageIn, textIn } from '../shared/read-input.js';

/** The open events, with a search. */
export function EventsPage() {
  const [parameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  return (
    <>
      <Introduction />
      <SearchForm search={search} />
      <EventList search={search} page={pageIn(parameters)} />
    </>
  );
}

function Introduction() {
  return (
    <section className="intro">
      <h1>Four AI models deliberate. You get the probability and the reasoning.</h1>
      <p className="lead">
        Grok, Claude, GPT and Gemini forecast a prediction-market event without seeing its price. They review
        each other anonymously, and a chairman summarises. You read the probabilities, the dissent, and the
        bets with their calculation. <Link to="/sample">Read a sample report</Link> or{' '}
        <Link to="/track-record">see how accurate they were</Link>.
      </p>
    </section>
  );
}

/** A plain GET form of this page, so that it works without JavaScript. */
function SearchForm({ search }: { search: string }) {
  const [, setParameters] = useSearchParams();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textIn(new FormData(event.currentTarget), 'search');
    setParameters(text === '' ? {} : { search: text });
  };
  return (
    <search>
      <form className="search" action="/" onSubmit={submit}>
        <label htmlFor="search">Search events</label>
        <input
          key={search}
          id="search"
          name="search"
          type="search"
          defaultValue={search}
          maxLength={200}
          placeholder="fed cut, election, …"
        />
        <button className="button" type="submit">
          Search
        </button>
      </form>
    </search>
  );
}

function EventList({ search, page }: { search: string; page: number }) {
  const query = useQuery({ ...eventsQuery(useApi(), { search, page }), placeholderData: keepPreviousData });
  return (
    <QueryResult query={query} what="events">
      {({ events }) =>
        events.length === 0 ? (
          <p role="status">
            {search === '' ? 'There are no open events.' : `No open event matches “${search}”.`} Try other
            search words.
          </p>
        ) : (
          <section aria-label="Events" aria-busy={query.isPlaceholderData}>
            <ul className="cards">
              {events.map(event => (
                <EventCard key={event.event_id} event={event} />
              ))}
            </ul>
            <Pager
              page={page}
              hasMore={events.length === eventsPerPage && (page + 1) * eventsPerPage <= eventSearchDepthMax}
              keep={search === '' ? {} : { search }}
            />
          </section>
        )
      }
    </QueryResult>
  );
}

const marketsShown = 3;

function EventCard({ event }: { event: EventView }) {
  const byPrice = [...event.markets].sort((a, b) => (b.yes_price ?? 0) - (a.yes_price ?? 0));
  return (
    <li className="card">
      <h2>
        <Link to={eventPath(event.event_id)}>{event.title}</Link>
      </h2>
      <ul className="odds">
        {byPrice.slice(0, marketsShown).map(({ slug, market, outcomes, yes_price: price }) => (
          <li key={slug}>
            <span>{event.markets.length === 1 ? outcomes[0] : market}</span>
            <strong className="number">{price === null ? 'no price' : percentText(price * 100)}</strong>
          </li>
        ))}
      </ul>
      <p className="muted small">
        {[
          event.markets.length > marketsShown ? `${event.markets.length} markets` : null,
          `${volume(event.volume, event.volume_unit)} traded`,
          event.closes_at === null ? null : `closes ${day(event.closes_at)}`,
        ]
          .filter(part => part !== null)
          .join(' · ')}
      </p>
    </li>
  );
}
