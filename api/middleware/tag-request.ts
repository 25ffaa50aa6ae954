import type { Request, RequestHandler, Response } from 'express';
import { principalIfAny } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { pathOf, routePattern } from '../http/route-path.js';

/**
 * Gives every request an id, answers with it, and notes the request once it is over: which route, who asked, what was
 * answered and how long it took. No header, no body, and no path as it was asked for: people paste keys into all three.
 */
export function tagRequest(context: ApiContext): RequestHandler {
  return (request, response, next) => {
    const requestId = context.newId();
    const begunMs = performance.now();
    response.locals['requestId'] = requestId;
    response.set('X-Request-Id', requestId);
    response.once('close', () => {
      const level = isRoutine(request) ? 'debug' : 'info';
      const ms = Math.round(performance.now() - begunMs);
      context.log[level]({ ...requestFields(request, response), ...outcomeOf(response), ms }, 'request');
    });
    next();
  };
}

/** How a request is named in every line of the log that is about it. */
export function requestFields(request: Request, response: Response) {
  const principal = principalIfAny(response);
  const reportId = reportConcerned(response);
  return {
    request_id: String(response.locals['requestId']),
    method: request.method,
    route: routePattern(request),
    ...(principal === null ? {} : { account_id: principal.accountId, api_key_id: principal.apiKeyId }),
    ...(reportId === null ? {} : { report_id: reportId }),
  };
}

/** A caller who went away first was answered nothing. */
function outcomeOf(response: Response) {
  return response.writableFinished ? { status: response.statusCode } : { status: null, gone: true };
}

/** What machines ask all day, and the files of a page: one line each would drown the rest. */
function isRoutine(request: Request): boolean {
  return /^\/(healthz|readyz|metrics|assets\/.*)$/i.test(pathOf(request));
}

/** Notes which report a request is about, for whoever reads the log. */
export function tagReportId(response: Response, reportId: number): void {
  response.locals['reportId'] = reportId;
}

/** Null where a request is about no report, or about none that is known. */
function reportConcerned(response: Response): number | null {
  const reportId: unknown = response.locals['reportId'];
  return typeof reportId === 'number' ? reportId : null;
}
