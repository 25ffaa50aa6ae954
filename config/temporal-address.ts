import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { TemporalManifest } from './temporal-manifest.js';

/** Where Temporal is, by the standard variables and profiles of its own tools. */
export function temporalAddress(manifest: TemporalManifest) {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return { connectionOptions, namespace: namespace ?? manifest.namespace };
}
