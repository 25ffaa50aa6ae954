import type { DeliberationView } from '../deliberation.js';
import type { ReportView } from '../reports.js';
import type { RuntimeView } from '../runtime.js';
import type { MemberView } from './grounds-text.js';

/** Parts of a report beyond the verdict. Each can be long. */
export const reportSections = [
  'synthesis',
  'opinions',
  'sources',
  'cross_review',
  'market_snapshot',
  'method',
] as const;

export type ReportSection = (typeof reportSections)[number];

type Evidence = NonNullable<DeliberationView['evidence']>;

/** A report as a reader wants it: everything that the verdict rests on, and the requested sections. */
export interface ReportParts
  extends Omit<ReportView, 'id' | 'council_config' | 'deliberation' | 'market_snapshot' | 'api_key_id'> {
  readonly report_id: number;
  readonly runtime: Omit<RuntimeView, 'method' | 'best_edge'> | null;
  readonly positions: DeliberationView['positions'];
  /** What the members looked up, without the sources and what they did not find. Null if they did not search. */
  readonly evidence: Omit<Evidence, 'items' | 'not_found'> | null;
  /** The members' base rates. Empty in reports of 1.0.0. */
  readonly outside_views: readonly MemberView[];
  readonly triggers: NonNullable<DeliberationView['synthesis']>['triggers'];
  readonly market_gap: DeliberationView['market_gap'];
  readonly synthesis?: DeliberationView['synthesis'] | undefined;
  readonly opinions?: DeliberationView['opinions'] | undefined;
  readonly sources?: Evidence['items'] | undefined;
  /** Part of the section `sources`. */
  readonly not_found?: Evidence['not_found'];
  readonly cross_review?: DeliberationView['cross_review'] | undefined;
  readonly market_snapshot?: ReportView['market_snapshot'] | undefined;
  readonly method?: RuntimeView['method'] | undefined;
}

export function partsOf(report: ReportView, sections: readonly ReportSection[]): ReportParts {
  const { id, council_config, deliberation, market_snapshot, ...rest } = report;
  const { runtime } = council_config;
  const has = (section: ReportSection) => sections.includes(section);
  return {
    ...rest,
    report_id: id,
    runtime,
    positions: deliberation?.positions ?? [],
    evidence: deliberation?.evidence ?? null,
    outside_views: outsideViewsOf(deliberation?.opinions ?? []),
    triggers: deliberation?.synthesis?.triggers ?? [],
    market_gap: deliberation?.market_gap ?? null,
    ...(has('synthesis') ? { synthesis: deliberation?.synthesis ?? null } : {}),
    ...(has('opinions') ? { opinions: deliberation?.opinions ?? [] } : {}),
    // The opinions cite their ids, which would name nothing otherwise.
    ...(has('sources') || has('opinions') ? { sources: deliberation?.evidence?.items ?? [] } : {}),
    ...(has('sources') ? { not_found: deliberation?.evidence?.not_found } : {}),
    ...(has('cross_review') && deliberation !== null ? { cross_review: deliberation.cross_review } : {}),
    ...(has('market_snapshot') ? { market_snapshot } : {}),
    ...(has('method') && runtime !== null ? { method: runtime.method } : {}),
  };
}

function outsideViewsOf(opinions: DeliberationView['opinions']): MemberView[] {
  return opinions
    .filter(({ base_rates, outside_view }) => base_rates.length > 0 || outside_view !== null)
    .map(({ model, base_rates, outside_view }) => ({ model, base_rates, outside_view }));
}
