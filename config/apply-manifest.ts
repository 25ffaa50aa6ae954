import type { NativeConnection } from '@temporalio/worker';
import type { TemporalManifest } from './temporal-manifest.js';

/** `temporal.api.enums.v1.IndexedValueType`. */
const indexedValueType = { Keyword: 2, Int: 3, Bool: 5 } as const;

/**
 * Makes the server know the search attributes that runs are started with; those it knows are left alone.
 * @returns the names that were added.
 */
export async function applyManifest(
  connection: Pick<NativeConnection, 'operatorService'>,
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
