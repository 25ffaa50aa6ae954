import type { EvidenceView, OpinionView } from '../../../contract/deliberation.js';

export type Source = EvidenceView['items'][number];

/** A fact of a member's opinion. Its anchor leads back from the sources that it cites. */
export interface CitedClaim {
  readonly model: OpinionView['model'];
  readonly anchor: string;
  readonly fact: string;
  /** Ids without repetitions. Empty: the member's own knowledge. */
  readonly sources: readonly string[];
}

export function claimsOf({ model, evidence }: Pick<OpinionView, 'model' | 'evidence'>): CitedClaim[] {
  return evidence.map(({ fact, sources }, index) => ({
    model,
    anchor: `claim-${model}-${index + 1}`,
    fact,
    sources: [...new Set(sources)],
  }));
}

/** The claims that cite a source, in the order of the opinions. */
export function claimsCiting(
  id: string,
  opinions: readonly Pick<OpinionView, 'model' | 'evidence'>[],
): CitedClaim[] {
  return opinions.flatMap(claimsOf).filter(({ sources }) => sources.includes(id));
}

export const sourceAnchor = (id: string) => `source-${id}`;
