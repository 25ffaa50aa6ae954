import type { Request, RequestHandler, Response } from 'express';
import { principalIfAny } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { pathOf, routePattern } from '../http/route-path.js';

/**
 * Gives every request an id, returns it in `X-Request-Id`, and logs the finished request: address,
 * route, caller, status and duration. Never logs headers, bodies or raw paths: users paste keys into all three.
 */
export function tagRequest(context: ApiContext): RequestHandler {
  return (request, response, next) => {
    const requestId = context.newId();
    const startedMs = performance.now();
    response.locals['requestId'] = requestId;
    response.set('X-Request-Id', requestId);
    response.once('close', () => {
      const level = isRoutine(request) ? 'debug' : 'info';
      const ms = Math.round(performance.now() - startedMs);
      context.log[level]({ ...requestFields(request, response), ...outcomeOf(response), ms }, 'request');
    });
    next();
  };
}

/** The fields that identify a request in log lines. */
export function requestFields(request: Request, response: Response) {
  const principal = principalIfAny(response);
  const reportId = requestReportId(response);
  return {
    request_id: String(response.locals['requestId']),
    address: request.ip,
    method: request.method,
    route: routePattern(request),
    ...(principal === null ? {} : { account_id: principal.accountId, api_key_id: principal.apiKeyId }),
    ...(reportId === null ? {} : { report_id: reportId }),
  };
}

/** `gone`: the caller disconnected before the response was sent. */
function outcomeOf(response: Response) {
  return response.writableFinished ? { status: response.statusCode } : { status: null, gone: true };
}

/** Probes and page files, which would drown the other log lines. */
function isRoutine(request: Request): boolean {
  return /^\/(healthz|readyz|assets\/.*)$/i.test(pathOf(request));
}

/** Adds the report id to the log lines of a request. */
export function tagReportId(response: Response, reportId: number): void {
  response.locals['reportId'] = reportId;
}

function requestReportId(response: Response): number | null {
  const reportId: unknown = response.locals['reportId'];
  return typeof reportId === 'number' ? reportId : null;
}
