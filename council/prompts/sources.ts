import type { Opinion } from '../deliberation/stages.js';
import type { MarketEvent } from '../event.js';
import type { EvidenceItem } from '../evidence.js';
import { listItemShownChars, nameMaxChars, oneLine, withHostsOnly } from '../text.js';
import { stripIdentity } from './anonymous-opinion.js';
import type { BriefInput } from './event-brief.js';
import { fence } from './prompt.js';

/**
 * The sources that a member may cite, one a line: `S3 · apnews.com · 2026-11-20 · "Title": text`. Fenced, because it is
 * text from the web, and anonymous. Without addresses, also inside the text: they can name the member's vendor, and a path
 * may lead to prices.
 */
export function sourcesFence(
  items: readonly EvidenceItem[],
  { event, seed }: Brief,
  name: 'SOURCES' | 'OTHER SOURCES' = 'SOURCES',
): string {
  return fence(seed, name, items.map(item => sourceLine(item, event)).join('\n'));
}

type Brief = Pick<BriefInput, 'event' | 'seed'>;

function sourceLine({ id, domain, published_at, title, text }: EvidenceItem, event: MarketEvent): string {
  const name = title === null ? [] : [JSON.stringify(shownText(title, nameMaxChars, event))];
  const head = [id, oneLine(domain, nameMaxChars), published_at ?? 'undated', ...name].join(' · ');
  return `${head}: ${shownText(text, listItemShownChars, event)}`;
}

function shownText(words: string, maxChars: number, event: MarketEvent): string {
  return stripIdentity(oneLine(withHostsOnly(words), maxChars), event);
}

/**
 * What the searches did not find, fenced and anonymous as the sources are, with a sentence before it. The same for every
 * member: that the sources are silent is information. Nothing if nobody names anything.
 */
export function notFoundText({ notFound = [], event, seed }: Brief & Pick<BriefInput, 'notFound'>): string[] {
  if (notFound.length === 0) return [];
  const lines = notFound.map(({ text }) => `- ${shownText(text, listItemShownChars, event)}`);
  return [
    'Searched for and not found. That is information, but no proof: a search is short and sees public pages only.',
    fence(seed, 'NOT FOUND', lines.join('\n')),
  ];
}

export interface ShownSources {
  /** All evidence of the report; null if nobody searches. */
  readonly evidence: readonly EvidenceItem[] | null;
  /** What the reader has been shown already; null if nobody searches. */
  readonly pack: readonly EvidenceItem[] | null;
}

/**
 * The sources that opinions cite beyond the reader's pack, with a sentence before them: where members learn each other's
 * facts. A page of the pack is shown again if others found more on it. Nothing if nobody searched.
 */
export function citedFacts(
  opinions: readonly Pick<Opinion, 'evidence' | 'grounds'>[],
  { evidence, pack }: ShownSources,
  brief: Brief,
): string[] {
  if (evidence === null) return [];
  const ids = new Set(opinions.flatMap(citedBy));
  const cited = evidence.filter(({ id }) => ids.has(id));
  if (cited.length === 0) return ['No answer cites a source: what they state is their own knowledge.'];
  const known = new Map((pack ?? []).map(({ id, text }) => [id, text]));
  const others = cited.filter(({ id, text }) => known.get(id) !== text);
  if (others.length === 0) return ['The answers cite no other sources than those above.'];
  const more = others.some(({ id }) => known.has(id))
    ? ' An id that stands above as well has here what others found on the same page.'
    : '';
  return [
    `The answers also cite these sources, which are not verified either.${more}`,
    sourcesFence(others, brief, 'OTHER SOURCES'),
  ];
}

function citedBy({ evidence, grounds }: Pick<Opinion, 'evidence' | 'grounds'>): readonly string[] {
  return [...evidence, ...(grounds?.baseRates ?? [])].flatMap(({ sources }) => sources);
}
