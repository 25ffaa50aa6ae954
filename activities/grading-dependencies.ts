import type { Logger } from 'pino';
import type { EventSourceName } from '../council/event.js';
import type { Db } from '../db/database.js';
import type { EventSource } from '../markets/event-source.js';

/** The world of grading. */
export interface GradingDependencies {
  readonly db: Db;
  readonly markets: Pick<EventSource, 'get'>;
  /** Whose events `markets` knows. */
  readonly source: EventSourceName;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}
