import type { EncryptionKey } from '../../config/keys/key-ring.js';
import type { CouncilModel } from '../../council/models.js';
import type { Db } from '../../db/database.js';
import type { EventSource } from '../../markets/event-source.js';
import type { ProviderKeys } from '../../providers/create-providers.js';
import type { ModelCatalogue } from '../../providers/model-catalogue.js';
import type { ModelProvider } from '../../providers/model-provider.js';
import type { Metrics } from '../../telemetry/metrics.js';
import type { StageReader } from './stage-reader.js';

/** The world of those that ask models. */
export interface AskingDependencies extends ActivityDependencies {
  readonly readStage: StageReader;
}

/** The world of the activities. Built by the worker's composition root, and by tests. */
export interface ActivityDependencies {
  readonly db: Db;
  readonly markets: EventSource;
  /** Asked with the house's keys. Never by a run on the caller's own: see `choose-provider.ts`. */
  readonly providers: Readonly<Record<CouncilModel, ModelProvider>>;
  /** The same models, asked with these keys and no others. */
  readonly providersWith: (keys: ProviderKeys) => Readonly<Record<CouncilModel, ModelProvider>>;
  /** Opens the callers' stored keys. */
  readonly keyRing: readonly EncryptionKey[];
  readonly catalogue: ModelCatalogue;
  /** For how long an answer may wait for the others of its stage; see `together.ts`. Milliseconds. */
  readonly gatherMs: number;
  readonly metrics: Metrics;
  /** Said in every report made here. */
  readonly simulated: boolean;
  readonly now: () => Date;
}
