import type { MarketEvent } from '../event.js';
import type { Evidence, EvidenceItem } from '../evidence.js';
import { type CouncilModel, councilModels } from '../models.js';
import { seededShuffle } from '../random.js';
import type { Citation, Research } from './research.js';

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
  readonly evidence: Evidence;
  /** What each member found itself. */
  readonly packs: Readonly<Partial<Record<CouncilModel, readonly EvidenceItem[]>>>;
  /** For members that found nothing themselves. */
  readonly union: readonly EvidenceItem[];
}

/** Builds the evidence of a report from what the searches returned. The same input gives the same packs. */
export function assembleEvidence({ asOf, seed, research, failures }: AssembleInput): AssembledEvidence {
  const found = councilModels.flatMap(model => {
    const one = research[model];
    return one === undefined ? [] : one.citations.map(citation => itemOf(model, one, citation));
  });
  const items = seededShuffle(`${seed}/evidence`, found).map((item, index) => ({
    ...item,
    id: `S${index + 1}`,
  }));
  const searches = councilModels.reduce((total, model) => total + (research[model]?.searches ?? 0), 0);
  const status = Object.keys(failures).length === 0 ? 'searched' : 'partial';
  return {
    evidence: {
      status: items.length === 0 ? 'none' : status,
      as_of: asOf,
      searches,
      items,
      removed: { market_sources: 0, odds_statements: 0, duplicates: 0, other: 0 },
      failures,
    },
    packs: Object.fromEntries(
      councilModels.map(model => [model, items.filter(item => item.found_by.includes(model))]),
    ),
    union: items,
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

function itemOf(model: CouncilModel, { text, retrievedAt }: Research, citation: Citation): EvidenceItem {
  const { start, end, url, title, marks } = citation;
  return {
    id: '',
    text: marks === 'statement' ? text.slice(start, end) : text.slice(0, start),
    url,
    domain: new URL(url).host,
    title,
    published_at: null,
    retrieved_at: retrievedAt,
    found_by: [model],
  };
}
