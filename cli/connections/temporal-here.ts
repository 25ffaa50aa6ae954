import type { Settings } from '../../config/settings.js';
import { temporalAddress } from '../../config/temporal/connection.js';
import type { TemporalManifest } from '../../config/temporal/manifest.js';
import { findRunning } from '../launch/running-service.js';
import { Failure } from '../terminal/failure.js';
import { ownTemporal, type TemporalPlace } from './with-temporal.js';

/** The Temporal server that is named from outside, or else that of the service which runs on this COUNCIL_HOME. */
export function temporalHere(
  manifest: TemporalManifest,
  settings: Pick<Settings, 'TEMPORAL_ADDRESS' | 'COUNCIL_HOME'>,
  profile: string | undefined,
): TemporalPlace {
  const named = temporalAddress(manifest);
  if (settings.TEMPORAL_ADDRESS !== undefined || profile !== undefined) return named;
  const address = findRunning(settings.COUNCIL_HOME)?.temporalAddress;
  if (address !== null && address !== undefined) return ownTemporal(address, named.namespace);
  throw new Failure('There is no Temporal server to speak to.', {
    next: 'Set TEMPORAL_ADDRESS, or start the service here (`npm start`): it brings its own Temporal.',
  });
}
