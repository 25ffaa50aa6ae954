/** What the workflow bundle contains: every export here is a workflow type. */
export { checkLedger, expireGrants, releaseStrandedRuns, sendUsage } from './chores.js';
export { councilReport } from './council-report.js';
export { regrade } from './regrade.js';
export { regradeDue } from './regrade-due.js';
