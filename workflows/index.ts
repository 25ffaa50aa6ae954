/** What the workflow bundle contains: every export here is a workflow type. */
export { councilReport } from './council-report.js';
