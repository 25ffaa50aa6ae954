import type { Client } from '@temporalio/client';
import type { Connections } from '../../../db/database.js';
import type { Journal } from '../../chaos/books/journal.js';
import type { Callers } from '../../chaos/drills/drill.js';
import type { Customer } from '../../chaos/load/customers.js';
import type { Cluster } from '../servers/cluster.js';

/** What the acts of the proof share. */
export interface Stage {
  readonly cluster: Cluster;
  readonly database: Connections;
  readonly temporal: Client;
  readonly customers: readonly Customer[];
  readonly callers: Callers;
  readonly journal: Journal;
  /** Adds a line to the story. */
  readonly say: (line: string) => void;
}

/** An act of the proof. @returns what is wrong, one sentence each */
export type Act = (stage: Stage) => Promise<readonly string[]>;
