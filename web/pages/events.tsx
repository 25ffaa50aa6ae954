import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { EventView } from '../../contract/events.js';
import { useApi } from '../api/api.js';
import { eventsPerPage, eventsQuery } from '../api/queries.js';
import type { Loading as LoadingPage, Page } from '../app/page.js';
import { day, percent, volume } from '../shared/format.js';
import { Loading, ProblemNotice } from '../shared/notice.js';
import { Pager } from '../shared/pager.js';

export const eventsPage: Page = {
  path: '/',
  title: 'Council Report: four AI models on one question',
  status: 200,
  Content,
  load,
};

async function load({ api, queryClient, search }: LoadingPage): Promise<undefined> {
  await queryClient.prefetchQuery(eventsQuery(api, askedIn(search)));
}

function askedIn(search: URLSearchParams) {
  const page = Number(search.get('page') ?? '1');
  return { search: search.get('search') ?? '', page: Number.isSafeInteger(page) && page > 0 ? page : 1 };
}

function Content() {
  const [parameters] = useSearchParams();
  const asked = askedIn(parameters);
  return (
    <>
      <Introduction />
      <SearchForm search={asked.search} />
      <Found {...asked} />
    </>
  );
}

function Introduction() {
  return (
    <section className="intro">
      <h1>Four AI models deliberate. You get the number, and how they got there.</h1>
      <p className="lead">
        Grok, Claude, GPT and Gemini forecast a prediction-market event without seeing its price, review one
        another without knowing who is who, and a chairman sums up. You read the probabilities, the dissent
        and the bets with their arithmetic. <Link to="/sample">Read a sample report</Link> or{' '}
        <Link to="/track-record">see how good they were</Link>.
      </p>
    </section>
  );
}

/** Works without a script too: it is a plain form that asks for this very page. */
function SearchForm({ search }: { search: string }) {
  const [, setParameters] = useSearchParams();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const words = new FormData(event.currentTarget).get('search');
    setParameters(typeof words === 'string' && words !== '' ? { search: words } : {});
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

function Found({ search, page }: { search: string; page: number }) {
  const events = useQuery({ ...eventsQuery(useApi(), { search, page }), placeholderData: keepPreviousData });
  if (events.isError) return <ProblemNotice error={events.error} onRetry={() => void events.refetch()} />;
  if (events.data === undefined) return <Loading what="events" />;
  const found = events.data.events;
  if (found.length === 0) {
    return (
      <p role="status">
        {search === '' ? 'There are no open events.' : `Nothing open matches “${search}”.`} Try fewer or other
        words.
      </p>
    );
  }
  return (
    <section aria-label="Events" aria-busy={events.isPlaceholderData}>
      <ul className="cards">
        {found.map(event => (
          <EventCard key={event.event_id} event={event} />
        ))}
      </ul>
      <Pager page={page} hasMore={found.length === eventsPerPage} keep={search === '' ? {} : { search }} />
    </section>
  );
}

const marketsShown = 3;

function EventCard({ event }: { event: EventView }) {
  const priced = [...event.markets].sort((a, b) => (b.yes_price ?? 0) - (a.yes_price ?? 0));
  return (
    <li className="card">
      <h2>
        <Link to={`/events/${encodeURIComponent(event.event_id)}`}>{event.title}</Link>
      </h2>
      <ul className="odds">
        {priced.slice(0, marketsShown).map(({ slug, market, outcomes, yes_price: price }) => (
          <li key={slug}>
            <span>{event.markets.length === 1 ? outcomes[0] : market}</span>
            <strong className="number">{price === null ? 'no price' : percent(price * 100)}</strong>
          </li>
        ))}
      </ul>
      <p className="muted small">
        {[
          event.markets.length > marketsShown ? `${event.markets.length} markets` : null,
          `${volume(event.volume)} traded`,
          event.closes_at === null ? null : `closes ${day(event.closes_at)}`,
        ]
          .filter(part => part !== null)
          .join(' · ')}
      </p>
    </li>
  );
}
