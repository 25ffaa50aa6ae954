import type { NativeConnection } from '@temporalio/worker';
import { type AppliedSchedules, applySchedules } from './apply-schedules.js';
import type { TemporalManifest } from './temporal-manifest.js';

/** `temporal.api.enums.v1.IndexedValueType`. */
const indexedValueType = { Keyword: 2, Int: 3, Bool: 5 } as const;

export interface AppliedManifest {
  /** The names that were added. */
  readonly searchAttributes: readonly string[];
  readonly schedules: AppliedSchedules;
}

/**
 * Makes the server what `temporal.yaml` describes: the search attributes that runs are started with, and the schedules
 * of the chores. What is there already is left alone. Schedules come second: their runs may carry attributes.
 */
export async function applyManifest(
  connection: NativeConnection,
  namespace: string,
  manifest: TemporalManifest,
): Promise<AppliedManifest> {
  return {
    searchAttributes: await addSearchAttributes(connection, namespace, manifest),
    schedules: await applySchedules(connection, namespace, manifest),
  };
}

async function addSearchAttributes(
  connection: NativeConnection,
  namespace: string,
  manifest: TemporalManifest,
): Promise<readonly string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(manifest.search_attributes).filter(([name]) => !(name in customAttributes));
  if (missing.length > 0) {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(([name, type]) => [name, indexedValueType[type]])),
    });
  }
  return missing.map(([name]) => name);
}
