import type { ConnectionLike } from '@temporalio/client';
import type { TemporalManifest } from './temporal-manifest.js';

/** One thing that `temporal.yaml` describes, or once described, and what was done about it on the server. */
export interface ApplyStep {
  readonly kind: 'namespace' | 'search_attribute' | 'schedule';
  readonly name: string;
  /** `left`: it needs a person, and `differences` says why. Of a dry run: what would have been done. */
  readonly did: 'created' | 'updated' | 'unchanged' | 'removed' | 'left';
  readonly differences: readonly string[];
}

/** Which server is made what, and whether it is made so or only compared. */
export interface ApplyTarget {
  readonly connection: ConnectionLike;
  readonly namespace: string;
  readonly manifest: TemporalManifest;
  readonly dryRun?: boolean;
}
