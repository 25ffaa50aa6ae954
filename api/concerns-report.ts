import type { Response } from 'express';

/** Notes which report a request is about, for whoever reads the log. */
export function concernsReport(response: Response, reportId: number): void {
  response.locals['reportId'] = reportId;
}

/** Null where a request is about no report, or about none that is known. */
export function reportConcerned(response: Response): number | null {
  const reportId: unknown = response.locals['reportId'];
  return typeof reportId === 'number' ? reportId : null;
}
