import type { MarketEvent } from '../event.js';
import type { Evidence, EvidenceItem, RemovedEvidence } from '../evidence.js';
import { type CouncilModel, councilModels } from '../models.js';
import { sum } from '../numbers.js';
import { seededShuffle } from '../random.js';
import { type CitedPage, type CitedPages, citedPages } from './cited-pages.js';
import { type FoundPage, foundPages, type MemberFindings, type PageVerdict } from './found-pages.js';
import { type NotFoundLines, notFoundLines } from './not-found.js';
import { ownPacks, type PackedPage, unionPack } from './packs.js';
import type { Research } from './research.js';
import { statementsOf } from './statements.js';

/** Names the rules of this folder. Another version may assemble other evidence from the same searches. */
export const evidenceRules = 'evidence/2';

export interface AssembleInput {
  readonly event: MarketEvent;
  /** ISO 8601, UTC: the time of the forecast. */
  readonly asOf: string;
  /** The report's stored seed. */
  readonly seed: string;
  /** What the searches returned that counted. */
  readonly research: Readonly<Partial<Record<CouncilModel, Research>>>;
  /** The searches that failed. */
  readonly failures: Evidence['failures'];
}

export interface AssembledEvidence {
  /** {@link evidenceRules} when it was assembled: they give the same again from the stored searches. */
  readonly rules: string;
  readonly evidence: Evidence;
  /** What each member found itself, in the statements of its own search. */
  readonly packs: Readonly<Partial<Record<CouncilModel, readonly EvidenceItem[]>>>;
  /** The pages shown to members that found nothing themselves. */
  readonly union: readonly EvidenceItem[];
}

/**
 * Builds the evidence of a report, and what each member reads of it, from what the searches returned. The only way from
 * the web into an opinion: no page of a market and no statement that quotes odds passes (docs/adr/0037). The same input
 * gives the same packs, in whatever order the members are named.
 */
export function assembleEvidence({
  event,
  asOf,
  seed,
  research,
  failures,
}: AssembleInput): AssembledEvidence {
  const findings = councilModels.flatMap((model): MemberFindings[] => {
    const found = research[model];
    if (found === undefined) return [];
    return [{ model, retrievedAt: found.retrievedAt, ...statementsOf(found) }];
  });
  const pages = foundPages(findings, event, asOf);
  const sorted = citedPages(findings, pages, { event, seed });
  const own = ownPacks(sorted.cited, findings);
  const shown = sorted.cited.filter(each =>
    own.some(({ pages }) => pages.some(({ cited }) => cited === each)),
  );
  const items = numbered(shown, seed);
  const notFound = notFoundLines(findings, seed);
  const itemsOf = (pack: readonly PackedPage[]) =>
    items.flatMap(item => {
      const packed = pack.find(({ cited }) => cited.page.url === item.url);
      return packed === undefined ? [] : [{ ...item, text: packed.text }];
    });
  return {
    rules: evidenceRules,
    evidence: {
      status: statusOf(items, failures),
      as_of: asOf,
      searches: sum(councilModels.map(model => research[model]?.searches ?? 0)),
      items,
      ...(notFound.lines.length === 0 ? {} : { not_found: notFound.lines }),
      removed: removedFrom(pages, sorted, shown, notFound),
      failures: inCouncilOrder(failures),
    },
    packs: Object.fromEntries(own.map(({ model, pages }) => [model, itemsOf(pages)])),
    union: itemsOf(unionPack(own, seed)),
  };
}

/** What a member is shown: its own pack, or the union if it has none. */
export function packOf(
  { packs, union }: Pick<AssembledEvidence, 'packs' | 'union'>,
  model: CouncilModel,
): readonly EvidenceItem[] {
  const own = packs[model] ?? [];
  return own.length > 0 ? own : union;
}

/** Shuffled, because the order in which pages were found tells who found them. */
function numbered(cited: readonly CitedPage[], seed: string): EvidenceItem[] {
  return seededShuffle(`${seed}/evidence`, cited).map(({ page, text }, index) => ({
    id: `S${index + 1}`,
    text,
    url: page.url,
    domain: page.domain,
    title: page.title,
    published_at: page.publishedAt,
    retrieved_at: page.retrievedAt,
    found_by: page.foundBy,
  }));
}

function statusOf(items: readonly EvidenceItem[], failures: Evidence['failures']): Evidence['status'] {
  if (items.length === 0) return 'none';
  return Object.keys(failures).length === 0 ? 'searched' : 'partial';
}

function removedFrom(
  pages: ReadonlyMap<string, FoundPage>,
  { cited, oddsStatements, otherStatements }: CitedPages,
  shown: readonly CitedPage[],
  notFound: NotFoundLines,
): RemovedEvidence {
  const verdicts = [...pages.values()].map(({ verdict }) => verdict);
  const count = (wanted: PageVerdict) => verdicts.filter(verdict => verdict === wanted).length;
  return {
    market_sources: count('market'),
    odds_statements: oddsStatements + notFound.oddsStatements,
    duplicates: shown.filter(({ page }) => page.foundBy.length > 1).length,
    other:
      otherStatements +
      notFound.otherStatements +
      count('late') +
      count('unusable') +
      cited.length -
      shown.length,
  };
}

function inCouncilOrder(failures: Evidence['failures']): Evidence['failures'] {
  return Object.fromEntries(
    councilModels.flatMap(model => (failures[model] === undefined ? [] : [[model, failures[model]]])),
  );
}
