import type { Opinion } from '../deliberation/stages.js';
import type { MarketEvent } from '../event.js';
import type { EvidenceItem } from '../evidence.js';
import { listItemShownChars, nameMaxChars, oneLine } from '../text.js';
import { stripIdentity } from './anonymous-opinion.js';
import { fence } from './prompt.js';

/**
 * The sources that a member may cite, one a line: `S3 · apnews.com · 2026-11-20 · "Title": text`. Fenced, because it is
 * text from the web, and anonymous. Without addresses: they can name the member's vendor, and a path may lead to prices.
 */
export function sourcesFence(items: readonly EvidenceItem[], event: MarketEvent): string {
  return fence('SOURCES', items.map(item => sourceLine(item, event)).join('\n'));
}

function sourceLine({ id, domain, published_at, title, text }: EvidenceItem, event: MarketEvent): string {
  const name = title === null ? [] : [JSON.stringify(stripIdentity(oneLine(title, nameMaxChars), event))];
  const head = [id, oneLine(domain, nameMaxChars), published_at ?? 'undated', ...name].join(' · ');
  return `${head}: ${stripIdentity(oneLine(text, listItemShownChars), event)}`;
}

/** The sources that the opinions cite, with a sentence before them: where members learn each other's facts. */
export function citedFacts(
  opinions: readonly Pick<Opinion, 'evidence'>[],
  evidence: readonly EvidenceItem[] | null,
  event: MarketEvent,
): string[] {
  const ids = new Set(opinions.flatMap(opinion => opinion.evidence.flatMap(({ sources }) => sources)));
  const cited = (evidence ?? []).filter(({ id }) => ids.has(id));
  if (cited.length === 0) return [];
  return ['These are the sources that the answers cite, not verified:', sourcesFence(cited, event)];
}
