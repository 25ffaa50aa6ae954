/** The entry of the workflow bundle: every export is a workflow type. */
export { councilReport } from './council-report.js';
export { maintenance } from './maintenance.js';
export { refit } from './refit.js';
export { regrade } from './regrade.js';
export { reportBatch } from './report-batch.js';
export { webhookDelivery } from './webhook-delivery.js';
