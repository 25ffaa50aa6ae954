import type { EventSourceName, Market, MarketEvent } from '../../council/event.js';
import {
  type GammaEvent,
  type GammaMarket,
  gammaEventSchema,
  gammaMarketSchema,
  gammaTagSchema,
} from './gamma-schema.js';
import { parseGammaMarket } from './parse-gamma-market.js';

/**
 * Reads one event object of Polymarket's Gamma API.
 *
 * @param raw anything; usually the JSON of `/events/{id}` or an element of a list.
 * @param source who publishes it; only Polymarket's own events get a link to polymarket.com.
 * @returns null when it is no event (no id or no title). Markets without an identity are left out, so that
 *   `markets` may be empty. Never throws.
 */
export function parseGammaEvent(raw: unknown, source: EventSourceName = 'polymarket'): MarketEvent | null {
  const parsed = gammaEventSchema.safeParse(raw);
  if (!parsed.success) return null;
  const event = parsed.data;
  const gammaMarkets = readMarkets(event.markets ?? []);
  const names = nameMarkets(gammaMarkets);
  const markets = gammaMarkets.map((market, index) =>
    parseGammaMarket(market, { name: names[index] ?? market.id, event }),
  );
  return {
    eventId: event.id,
    source,
    title: event.title,
    description: rulesOf(event, gammaMarkets),
    category: categoryOf(event),
    closesAt: closingTime(event, gammaMarkets),
    status: isClosed(event, markets) ? 'closed' : 'open',
    exclusive: isExclusive(event, gammaMarkets),
    volume: volumeOf(event, markets),
    url: source === 'polymarket' && event.slug !== null ? polymarketUrl(event.slug) : null,
    markets,
  };
}

/** A market listed twice counts once. */
function readMarkets(raw: readonly unknown[]): readonly GammaMarket[] {
  const byId = new Map<string, GammaMarket>();
  for (const entry of raw) {
    const market = gammaMarketSchema.safeParse(entry);
    if (market.success && !byId.has(market.data.id)) byId.set(market.data.id, market.data);
  }
  return [...byId.values()];
}

/** A single market alone cannot be "one of several", whatever its flags say: normalising it would give 100 %. */
function isExclusive(event: GammaEvent, markets: readonly GammaMarket[]): boolean {
  if (markets.length < 2) return false;
  return event.negRisk ?? markets.every(market => market.negRisk === true);
}

function isClosed(event: GammaEvent, markets: readonly Market[]): boolean {
  if (event.closed === true) return true;
  const real = markets.filter(market => !market.placeholder);
  return real.length > 0 && real.every(market => market.status === 'closed');
}

function rulesOf(event: GammaEvent, markets: readonly GammaMarket[]): string {
  const own = event.description?.trim() ?? '';
  return own === '' ? (markets[0]?.description?.trim() ?? '') : own;
}

/** The broad category if a tag names one, for tags also hold topics such as "Fed" or "Canada". */
function categoryOf(event: GammaEvent): string | null {
  const labels = (event.tags ?? []).flatMap(tag => {
    const read = gammaTagSchema.safeParse(tag);
    return read.success ? [read.data.label] : [];
  });
  return labels.find(label => broadCategories.has(label.toLowerCase())) ?? labels[0] ?? event.category;
}

const broadCategories: ReadonlySet<string> = new Set([
  'politics',
  'sports',
  'crypto',
  'finance',
  'economy',
  'tech',
  'culture',
  'science',
  'geopolitics',
  'world',
  'weather',
]);

/** Some events carry no end date of their own; then the last of their markets' counts. */
function closingTime(event: GammaEvent, markets: readonly GammaMarket[]): string | null {
  const own = isoTime(event.endDate);
  if (own !== null) return own;
  return markets
    .map(market => isoTime(market.endDate))
    .reduce((latest, time) => (latest === null || (time !== null && time > latest) ? time : latest), null);
}

function isoTime(text: string | null): string | null {
  if (text === null) return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function volumeOf(event: GammaEvent, markets: readonly Market[]): number {
  const sum = markets.reduce((total, market) => total + market.volume, 0);
  return Math.max(0, event.volume ?? sum);
}

function polymarketUrl(slug: string): string {
  return `https://polymarket.com/event/${encodeURIComponent(slug)}`;
}

/**
 * Names the markets of one event, in their order, so that no two names are alike (letter case aside): callers
 * and models answer by name. A market is called by its short title, else its question, else its slug, else its
 * id; where two would be called the same, both move on to the next. An event's only market is called by its
 * question, for its short title ("December 31") says nothing by itself.
 */
export function nameMarkets(markets: readonly NamedMarket[]): readonly string[] {
  let queues = markets.map(market => namesOf(market, markets.length > 1));
  for (;;) {
    const taken = count(queues.map(firstOf));
    const clashing = (queue: readonly string[]): boolean =>
      queue.length > 1 && (taken.get(firstOf(queue).toLowerCase()) ?? 0) > 1;
    if (!queues.some(clashing)) return queues.map(firstOf);
    queues = queues.map(queue => (clashing(queue) ? queue.slice(1) : queue));
  }
}

interface NamedMarket {
  readonly id: string;
  readonly groupItemTitle: string | null;
  readonly question: string | null;
  readonly slug: string | null;
}

/** What a market may be called, best first; ends in its id, which is unique. */
function namesOf(market: NamedMarket, oneOfSeveral: boolean): readonly string[] {
  const title = oneOfSeveral ? market.groupItemTitle : null;
  return [title, market.question, market.slug, market.id].filter(name => name !== null);
}

function firstOf(names: readonly string[]): string {
  return names[0] ?? '';
}

function count(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return counts;
}
