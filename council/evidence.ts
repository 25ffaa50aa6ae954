import type { CouncilModel } from './models.js';

/** What the members' searches found, as the report publishes it and the members read it. */
export interface Evidence {
  readonly status: EvidenceStatus;
  /** ISO 8601, UTC: the time of the forecast. Pages dated later are left out. */
  readonly as_of: string;
  /** Searches made by all members together. */
  readonly searches: number;
  readonly items: readonly EvidenceItem[];
  /** Absent if the members name nothing, as in the evidence of 1.0.0: its hash is that of these bytes. */
  readonly not_found?: readonly NotFound[];
  readonly removed: RemovedEvidence;
  /** The members whose search failed, with the reason in words of the closed list. */
  readonly failures: Readonly<Partial<Record<CouncilModel, string>>>;
}

/**
 * `searched`: every member that searches did, and something was found. `partial`: some searches failed. `none`: nothing
 * was found, or every search failed.
 */
export const evidenceStatuses = ['searched', 'partial', 'none'] as const;

export type EvidenceStatus = (typeof evidenceStatuses)[number];

/** What is cited to one page. Untrusted text, and cited, not verified. */
export interface EvidenceItem {
  /** S1, S2, … over the whole report, in an order that does not tell who found it. */
  readonly id: string;
  /** The statements that are cited to the page. */
  readonly text: string;
  /** Canonical: https, without tracking parameters or fragment. Never part of a prompt, because it can name its finder. */
  readonly url: string;
  readonly domain: string;
  readonly title: string | null;
  /** `YYYY-MM-DD`; null if the vendor states no date. */
  readonly published_at: string | null;
  /** ISO 8601, UTC. */
  readonly retrieved_at: string;
  readonly found_by: readonly CouncilModel[];
}

/** What members searched for and did not find. Untrusted text, of their own words. */
export interface NotFound {
  readonly text: string;
  /** In the council's order. */
  readonly searched_by: readonly CouncilModel[];
}

/** How much was left out, and why. */
export interface RemovedEvidence {
  /** Pages of prediction markets, bookmakers and other sites that quote odds. */
  readonly market_sources: number;
  /** Statements that quote odds or a market's view. */
  readonly odds_statements: number;
  /** Pages that another member had found as well. */
  readonly duplicates: number;
  /** Statements without a page of their own, pages dated after the run, unusable addresses, and what exceeds the limits. */
  readonly other: number;
}
