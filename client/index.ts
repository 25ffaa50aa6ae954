export type * from './api-types.js';
export type { ClientOptions } from './caller.js';
export { CouncilProblem, type CouncilProblemCode } from './council-problem.js';
export { CouncilReports } from './council-reports.js';
export type { EventsOptions } from './report-events.js';
export type { CheckOptions, CompletedReport, RunOptions } from './reports.js';
export type { AnswerAt, Endpoint, QueryAt, RequestOptions } from './request-options.js';
export type { ReportProgress, WaitOptions } from './wait-for-report.js';
export type { WebhookHeaders } from './webhooks.js';
