import type { CouncilModel } from '../council/models.js';
import type { Db } from '../db/database.js';
import type { EventSource } from '../markets/event-source.js';
import type { ModelCatalogue } from '../providers/model-catalogue.js';
import type { ModelProvider } from '../providers/model-provider.js';

/** The world of the activities. Built by the worker's composition root, and by tests. */
export interface ActivityDependencies {
  readonly db: Db;
  readonly markets: EventSource;
  readonly providers: Readonly<Record<CouncilModel, ModelProvider>>;
  readonly catalogue: ModelCatalogue;
  /** Said in every report made here. */
  readonly simulated: boolean;
  readonly now: () => Date;
}
