import { type RawBuilder, sql } from 'kysely';
import type { EventQuery, ListedEvent } from '../../council/market/event-choice.js';
import { kalshiClosedEventsKeptDays } from '../../purchase/limits.js';
import type { Db } from '../database.js';

/**
 * The search index of Kalshi's events: what is needed to find an event and to order a list, and nothing that is shown or
 * sold. Invariants:
 * - an event is read from the venue before anybody sees it, so a row may be hours old;
 * - only a whole pass over the venue's open events, which names all of them, closes an event that it did not name.
 */
export interface KalshiEventSearch extends Omit<EventQuery, 'category'> {
  /** The venue's own names; null for all categories. */
  readonly categories: readonly string[] | null;
  readonly now: Date;
}

export interface FoundTickers {
  readonly tickers: readonly string[];
  /** How many events match in all. */
  readonly total: number;
  /** Nothing was read into the index yet: that nothing is found says nothing about the venue. */
  readonly isEmpty: boolean;
}

/**
 * Finds one page of events. The text is as in a search engine: words, "a phrase", or, -without. One of stop words alone
 * finds none. Of open events, `closing` lists none whose time is over.
 */
export async function searchKalshiEvents(db: Db, query: KalshiEventSearch): Promise<FoundTickers> {
  const text = query.search.trim();
  const words = text === '' ? null : sql`websearch_to_tsquery('english', ${text})`;
  const matching = sql.join(conditionsOf(query, words), sql` and `);
  const { rows } = await sql<FoundTickers>`
    select
      array(
        select ticker from kalshi_events where ${matching} order by ${orderOf(query, words)}, ticker
        limit ${query.limit} offset ${query.skip}
      ) as tickers,
      (select count(*)::integer from kalshi_events where ${matching}) as total,
      not exists (select from kalshi_events) as "isEmpty"`.execute(db);
  return rows[0] ?? { tickers: [], total: 0, isEmpty: true };
}

function conditionsOf(
  { categories, sort, status, now }: KalshiEventSearch,
  words: RawBuilder<unknown> | null,
): RawBuilder<unknown>[] {
  const conditions = [
    status === 'all' ? sql`status in ('open', 'closed')` : sql`status = ${sql.lit(status)}`,
  ];
  if (words !== null) conditions.push(sql`search @@ ${words}`);
  if (categories !== null) conditions.push(sql`category = any (${[...categories]})`);
  if (sort === 'closing' && status !== 'closed') conditions.push(sql`closes_at > ${now}`);
  return conditions;
}

/** Of closed events, the last to close comes first. */
function orderOf(
  { sort, status }: KalshiEventSearch,
  words: RawBuilder<unknown> | null,
): RawBuilder<unknown> {
  if (sort === 'closing') return status === 'closed' ? sql`closes_at desc nulls last` : sql`closes_at`;
  const byVolume = sql`volume_contracts desc`;
  return sort === 'relevance' && words !== null ? sql`ts_rank(search, ${words}) desc, ${byVolume}` : byVolume;
}

/** Inserts events, or replaces what is known about them. @param listedAt when the venue was asked for them */
export async function saveKalshiEvents(db: Db, rows: readonly ListedEvent[], listedAt: Date): Promise<void> {
  // A statement cannot change a row twice, and a page can name an event twice while the list moves.
  const events = [...new Map(rows.map(row => [row.ticker, row])).values()];
  if (events.length === 0) return;
  await db
    .insertInto('kalshi_events')
    .values(
      events.map(event => ({
        ticker: event.ticker,
        title: event.title,
        sub_title: event.subTitle,
        series_ticker: event.seriesTicker,
        category: event.category,
        volume_contracts: event.volumeContracts,
        closes_at: event.closesAt,
        status: event.status,
        updated_at: listedAt,
      })),
    )
    .onConflict(conflict =>
      conflict.column('ticker').doUpdateSet(eb => ({
        title: eb.ref('excluded.title'),
        sub_title: eb.ref('excluded.sub_title'),
        series_ticker: eb.ref('excluded.series_ticker'),
        category: eb.ref('excluded.category'),
        volume_contracts: eb.ref('excluded.volume_contracts'),
        closes_at: eb.ref('excluded.closes_at'),
        status: eb.ref('excluded.status'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute();
}

/**
 * Closes the open events that a whole pass did not name, and deletes those that have been closed for long. A pass that
 * named no event at all is no reason to close any.
 * @returns how many were closed
 */
export async function closeUnlistedEvents(db: Db, passStartedAt: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update kalshi_events set status = 'closed'
    where status = 'open' and updated_at < ${passStartedAt}
      and exists (select from kalshi_events where updated_at >= ${passStartedAt})`.execute(db);
  const keptSince = new Date(passStartedAt.getTime() - kalshiClosedEventsKeptDays * 86_400_000);
  await db
    .deleteFrom('kalshi_events')
    .where('status', '=', 'closed')
    .where('updated_at', '<', keptSince)
    .execute();
  return Number(numAffectedRows);
}

/** Which page is read next. A fill without a cursor is between two passes. */
export interface KalshiFill {
  /** `whole`: all open events. `changes`: what changed since the last pass. */
  readonly pass: 'whole' | 'changes';
  readonly passStartedAt: Date;
  readonly cursor: string | null;
  /** From when on changes are asked for; null until a whole pass has ended. */
  readonly changedSince: Date | null;
  /** When the last whole pass that has ended began. */
  readonly wholePassAt: Date | null;
}

/** Null if nothing has been read yet. */
export async function readKalshiFill(db: Db): Promise<KalshiFill | null> {
  const row = await db.selectFrom('kalshi_fill').selectAll().executeTakeFirst();
  return row === undefined
    ? null
    : {
        pass: row.pass,
        passStartedAt: row.pass_started_at,
        cursor: row.cursor,
        changedSince: row.changed_since,
        wholePassAt: row.whole_pass_at,
      };
}

export async function saveKalshiFill(db: Db, fill: KalshiFill): Promise<void> {
  const columns = {
    pass: fill.pass,
    pass_started_at: fill.passStartedAt,
    cursor: fill.cursor,
    changed_since: fill.changedSince,
    whole_pass_at: fill.wholePassAt,
  };
  await db
    .insertInto('kalshi_fill')
    .values(columns)
    .onConflict(conflict => conflict.column('one').doUpdateSet(columns))
    .execute();
}
