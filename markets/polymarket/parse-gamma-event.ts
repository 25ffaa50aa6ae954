import type { Market, MarketEvent, Venue } from '../../council/event.js';
import { isEventClosed } from '../../council/market/event-closed.js';
import { nameMarkets } from '../name-markets.js';
import {
  type GammaEvent,
  type GammaMarket,
  gammaEventSchema,
  gammaMarketSchema,
  gammaTagSchema,
} from './gamma-schema.js';
import { isoTime, openingOf, parseGammaMarket } from './parse-gamma-market.js';

/**
 * Parses one event of Polymarket's Gamma API. Never throws.
 *
 * @param raw Any value; usually the JSON of `/events/{id}` or an element of a list.
 * @param source Only events of `polymarket` get a link to polymarket.com.
 * @returns null if the value is not an event (no id or no title). Markets without an id or a name are
 *   omitted, so `markets` can be empty.
 */
export function parseGammaEvent(raw: unknown, source: Venue = 'polymarket'): MarketEvent | null {
  const parsed = gammaEventSchema.safeParse(raw);
  if (!parsed.success) return null;
  const event = parsed.data;
  const gammaMarkets = readMarkets(event);
  const names = nameMarkets(gammaMarkets);
  const markets = gammaMarkets.map((market, index) =>
    parseGammaMarket(market, { name: names[index] ?? market.id, event }),
  );
  const closesAt = closingTime(event, gammaMarkets);
  const read: MarketEvent = {
    eventId: event.id,
    slug: slugOf(event),
    source,
    title: event.title,
    description: rulesOf(event, gammaMarkets),
    category: categoryOf(event),
    closesAt,
    ...(firstOpening(markets) ?? openingOf(event, closesAt)),
    status: event.closed === true ? 'closed' : 'open',
    exclusive: isExclusive(event, gammaMarkets),
    canGrow: event.negRiskAugmented === true,
    resolutionSource: event.resolutionSource,
    volume: volumeOf(event, markets),
    url: source === 'polymarket' && event.slug !== null ? polymarketUrl(event.slug) : null,
    markets,
  };
  return { ...read, status: isEventClosed(read) ? 'closed' : 'open' };
}

/** Gamma reads a name of digits as an id, so an event cannot be read by such a slug. */
function slugOf({ slug }: GammaEvent): string | null {
  return slug === null || /^\d+$/.test(slug) ? null : slug;
}

/** The markets of the JSON of `/events/{id}`; none if it is not an event. */
export function gammaMarketsOf(rawEvent: unknown): readonly GammaMarket[] {
  const event = gammaEventSchema.safeParse(rawEvent);
  return event.success ? readMarkets(event.data) : [];
}

/** Removes duplicate markets. */
function readMarkets({ markets }: GammaEvent): readonly GammaMarket[] {
  const byId = new Map<string, GammaMarket>();
  for (const entry of markets ?? []) {
    const market = gammaMarketSchema.safeParse(entry);
    if (market.success && !byId.has(market.data.id)) byId.set(market.data.id, market.data);
  }
  return [...byId.values()];
}

/** An event with one market is never exclusive, whatever its flags say: normalising it would give 100 %. */
function isExclusive(event: GammaEvent, markets: readonly GammaMarket[]): boolean {
  if (markets.length < 2) return false;
  return event.negRisk ?? markets.every(market => market.negRisk === true);
}

function rulesOf(event: GammaEvent, markets: readonly GammaMarket[]): string {
  const own = event.description?.trim() ?? '';
  return own === '' ? (markets[0]?.description?.trim() ?? '') : own;
}

/** Prefers a tag that is a broad category, because tags also contain topics such as "Fed" or "Canada". */
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

/** Falls back to the latest end date of the markets if the event has none. */
function closingTime(event: GammaEvent, markets: readonly GammaMarket[]): string | null {
  const own = isoTime(event.endDate);
  if (own !== null) return own;
  return markets
    .map(market => isoTime(market.endDate))
    .reduce((latest, time) => (latest === null || (time !== null && time > latest) ? time : latest), null);
}

/** A reserved slot is listed with the event, or long before it has a name. */
function firstOpening(markets: readonly Market[]): { readonly openedAt: string } | null {
  const [openedAt] = markets.flatMap(market => (market.placeholder ? [] : (market.openedAt ?? []))).sort();
  return openedAt === undefined ? null : { openedAt };
}

function volumeOf(event: GammaEvent, markets: readonly Market[]): number {
  const sum = markets.reduce((total, market) => total + market.volume, 0);
  return Math.max(0, event.volume ?? sum);
}

function polymarketUrl(slug: string): string {
  return `https://polymarket.com/event/${encodeURIComponent(slug)}`;
}
