import {
  createMaintenanceActivities,
  type MaintenanceDependencies,
} from '../../../activities/maintenance/maintenance-activities.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';

/** The maintenance activities of a worker without payments, checkouts, time stamps and log, called without Temporal. */
export function maintenanceActivities(
  deps: Partial<MaintenanceDependencies> & Pick<MaintenanceDependencies, 'db'>,
) {
  return createMaintenanceActivities({
    metrics: createMetrics(),
    payments: null,
    checkoutReader: null,
    timestampAuthority: null,
    kalshiEvents: null,
    temporal: undefined as any,
    now: () => new Date(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...deps,
  });
}
