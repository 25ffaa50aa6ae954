import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { AnswerAt } from '../../client/request-options.js';
import { venueNames } from '../../contract/callers/event-text.js';
import type { EventView } from '../../contract/events.js';
import { eventSearchDepthMax } from '../../contract/product.js';
import { useApi } from '../api/api.js';
import { eventsPerPage, eventsQuery } from '../api/queries.js';
import { type EventFilters, type FilterName, filtersIn, offeredChoices } from '../event/event-filters.js';
import { hasMore } from '../event/list-paging.js';
import { day, listed, percentText, tradedText } from '../shared/format.js';
import { Notice } from '../shared/notice.js';
import { Pager } from '../shared/pager.js';
import { eventPath } from '../shared/paths.js';
import { QueryResult } from '../shared/query-result.js';
import { pageIn, textIn } from '../shared/read-input.js';

/** The open events, with a search. */
export function EventsPage() {
  const [parameters] = useSearchParams();
  const filters = filtersIn(parameters);
  const page = pageIn(parameters);
  const query = useQuery({
    ...eventsQuery(useApi(), { ...filters, page }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Introduction />
      <SearchForm filters={filters} venues={query.data?.venues} />
      <EventList filters={filters} page={page} query={query} />
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
function SearchForm({ filters, venues }: { filters: EventFilters; venues: readonly string[] | undefined }) {
  const [, setParameters] = useSearchParams();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const chosen = fieldNames.map((name): [string, string] => [name, textIn(form, name)]);
    setParameters({ ...filtersIn(new URLSearchParams(chosen)) });
  };
  return (
    <search>
      <form className="search" action="/" onSubmit={submit}>
        <label htmlFor="search">Search events</label>
        <input
          key={filters.search ?? ''}
          id="search"
          name="search"
          type="search"
          defaultValue={filters.search ?? ''}
          maxLength={200}
          placeholder="fed cut, election, …"
        />
        <button className="button" type="submit">
          Search
        </button>
        <div className="filters">
          {filterNames.map(name => (
            <Filter
              key={name}
              name={name}
              choices={offeredChoices(name, venues)}
              value={filters[name] ?? ''}
            />
          ))}
        </div>
      </form>
    </search>
  );
}

const filterNames = ['venue', 'category', 'sort'] as const;
const fieldNames = ['search', ...filterNames] as const;

interface FilterProps {
  readonly name: FilterName;
  readonly choices: ReturnType<typeof offeredChoices>;
  readonly value: string;
}

/** A choice applies with the button, or at once where a script runs. */
function Filter({ name, choices, value }: FilterProps) {
  if (choices.length === 0) return null;
  return (
    <label>
      {filterTitles[name]}
      <select
        key={value}
        name={name}
        defaultValue={value}
        onChange={event => event.currentTarget.form?.requestSubmit()}
      >
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

const filterTitles = { venue: 'Venue', category: 'Category', sort: 'Order' } as const;

interface EventListProps {
  readonly filters: EventFilters;
  readonly page: number;
  readonly query: UseQueryResult<AnswerAt<'GET /api/events'>>;
}

function EventList({ filters, page, query }: EventListProps) {
  return (
    <QueryResult query={query} what="events">
      {list => (
        <>
          {list.unavailable.length === 0 ? null : (
            <Notice tone="warn">
              {listed(list.unavailable.map(venue => venueNames[venue]))} could not be searched now.
            </Notice>
          )}
          <section aria-label="Events" aria-busy={query.isPlaceholderData}>
            {list.events.length === 0 ? (
              <p role="status">{noEventsText(filters, page)}</p>
            ) : (
              <ul className="cards">
                {list.events.map(event => (
                  <EventCard key={event.event_id} event={event} />
                ))}
              </ul>
            )}
            <Pager
              page={page}
              hasMore={
                hasMore(list, filters.venue === undefined ? list.venues.length : 1) &&
                (page + 1) * eventsPerPage <= eventSearchDepthMax
              }
              keep={{ ...filters }}
            />
          </section>
        </>
      )}
    </QueryResult>
  );
}

function noEventsText({ search, ...rest }: EventFilters, page: number): string {
  if (page > 1) return 'There are no more events.';
  if (search !== undefined) return `No open event matches “${search}”. Try other search words.`;
  const none =
    Object.keys(rest).length === 0 ? 'There are no open events.' : 'There are no such open events.';
  return `${none} Try other search words.`;
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
          tradedText(event),
          event.closes_at === null ? null : `closes ${day(event.closes_at)}`,
        ]
          .filter(part => part !== null)
          .join(' · ')}
      </p>
    </li>
  );
}
