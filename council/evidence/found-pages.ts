import { utcDay } from '../calendar.js';
import type { MarketEvent } from '../event.js';
import type { CouncilModel } from '../models.js';
import { oneLine, titleMaxChars } from '../text.js';
import { canonicalPage, hostNamedBy, type WebPage } from './canonical-url.js';
import { isMarketPage, isOpaquePage } from './market-page.js';
import { pageDate } from './page-date.js';
import { pricesEvent } from './prices-event.js';
import type { Citation } from './research.js';
import type { NotFoundStatement, Statement } from './statements.js';

/** What one member's search stated. */
export interface MemberFindings {
  readonly model: CouncilModel;
  readonly retrievedAt: string;
  readonly statements: readonly Statement[];
  readonly notFound: readonly NotFoundStatement[];
}

/** A page that members cite, and whether the council may read what is cited to it. */
export interface FoundPage extends WebPage {
  /** The same for the same page, of whichever member. */
  readonly key: string;
  readonly title: string | null;
  readonly publishedAt: string | null;
  readonly verdict: PageVerdict;
  /** The members that cite it, in the council's order. */
  readonly foundBy: readonly CouncilModel[];
  /** ISO 8601, UTC: when the first of them did. */
  readonly retrievedAt: string;
}

/** `market`: publishes prices of events. `late`: dated after the run. `unusable`: no address that can be shown. */
export type PageVerdict = 'allowed' | 'market' | 'late' | 'unusable';

/** The pages that the members cite, by `pageKey`. */
export function foundPages(
  findings: readonly MemberFindings[],
  event: MarketEvent,
  asOf: string,
): ReadonlyMap<string, FoundPage> {
  const cited = new Map<string, FoundCitation[]>();
  for (const found of findings) {
    for (const citation of found.statements.flatMap(({ citations }) => citations)) {
      const key = pageKey(citation);
      const others = cited.get(key) ?? [];
      if (others.length === 0) cited.set(key, others);
      others.push({ citation, found });
    }
  }
  return new Map([...cited].map(([key, each]) => [key, foundPage(key, each, event, asOf)]));
}

interface FoundCitation {
  readonly citation: Citation;
  readonly found: MemberFindings;
}

/** Groups what cites the same page, with or without `www`; an address that cannot be shown groups by itself. */
export function pageKey({ url, title }: Citation): string {
  return canonicalPage(url, title)?.url.replace('https://www.', 'https://') ?? url;
}

function foundPage(
  key: string,
  cited: readonly FoundCitation[],
  event: MarketEvent,
  asOf: string,
): FoundPage {
  const citations = cited.map(({ citation }) => citation);
  const page = citations.flatMap(({ url, title }) => canonicalPage(url, title) ?? [])[0] ?? null;
  const titles = [...new Set(citations.flatMap(({ title }) => (title === null ? [] : [plainTitle(title)])))];
  const days = citations.flatMap(({ pageAge }) => pageDate(pageAge, page?.url ?? key, asOf) ?? []).sort();
  const publishedAt = days.at(-1) ?? null;
  return {
    key,
    url: page?.url ?? key,
    domain: page?.domain ?? '',
    title: titles.find(title => title !== '' && hostNamedBy(title) === null) ?? null,
    publishedAt,
    verdict: page === null ? 'unusable' : verdictOf(page, titles, publishedAt, event, asOf),
    foundBy: [...new Set(cited.map(({ found }) => found.model))],
    retrievedAt: cited.map(({ found }) => found.retrievedAt).sort()[0] ?? asOf,
  };
}

function verdictOf(
  page: WebPage,
  titles: readonly string[],
  publishedAt: string | null,
  event: MarketEvent,
  asOf: string,
): PageVerdict {
  const isMarket =
    isMarketPage(page, null) || titles.some(title => isMarketPage(page, title) || pricesEvent(title, event));
  if (isMarket) return 'market';
  if (isOpaquePage(page)) return 'unusable';
  return publishedAt !== null && publishedAt > utcDay(new Date(asOf)) ? 'late' : 'allowed';
}

function plainTitle(title: string): string {
  return oneLine(title.slice(0, 2 * titleMaxChars).replace(/\p{Co}/gu, ''), titleMaxChars);
}
