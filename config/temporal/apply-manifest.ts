import type { ConnectionLike } from '@temporalio/client';
import { type ApplyStep, applySearchAttributes } from './apply-namespace.js';
import { applySchedules } from './apply-schedules.js';
import type { TemporalManifest } from './manifest.js';

export interface AppliedManifest {
  /** The names that were added. */
  readonly searchAttributes: readonly string[];
  readonly schedules: Readonly<Record<string, ApplyStep['did']>>;
}

/**
 * What every worker does at its start: the search attributes that runs are started with, and the schedules of the
 * chores. What is there already is left alone. Schedules come second: their runs may carry attributes.
 */
export async function applyManifest(
  connection: ConnectionLike,
  namespace: string,
  manifest: TemporalManifest,
): Promise<AppliedManifest> {
  const target = { connection, namespace, manifest };
  const attributes = await applySearchAttributes(target);
  const schedules = await applySchedules(target);
  return {
    searchAttributes: attributes.filter(({ did }) => did === 'created').map(({ name }) => name),
    schedules: Object.fromEntries(schedules.map(({ name, did }) => [name, did])),
  };
}
