import type { ErrorRequestHandler } from 'express';
import { MarketBudgetSpent } from '../../markets/event-source.js';
import { PasswordsBusy } from '../auth/password-hashing.js';
import type { ApiContext } from '../context.js';
import { keepFromCaches } from '../http/cache-control.js';
import { Problem, problemOf } from '../http/problem.js';
import { setUsualRetryAfter } from '../http/retry-after.js';
import { requestFields } from './tag-request.js';

/** The one place where errors become responses. */
export function presentProblem(context: ApiContext): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const problem = problemOf(error);
    const requestId = String(response.locals['requestId']);
    // A 503 that the service decided on, such as a limit, is no failure, and callers can cause it as often as they like.
    const isDecided = problem.status === 503 && decided.some(kind => error instanceof kind);
    if (problem.status >= 500 && !isDecided) {
      context.log.error({ err: error, ...requestFields(request, response) }, problem.code);
    }
    // Not written to a caller who has left: its line in the log would show a response.
    if (request.socket.destroyed) return;
    if (response.headersSent) {
      // What was sent cannot be completed. Only a broken connection shows the caller so.
      if (!response.writableEnded) response.destroy();
      return;
    }
    context.metrics.problems.inc({ code: problem.code });
    const { retryAfterSeconds } = problem.extras;
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    if (problem.code === 'unauthenticated') response.set('WWW-Authenticate', 'Bearer realm="council"');
    // The route may have begun an answer that is the same for everybody.
    keepFromCaches(response);
    response.status(problem.status).type('application/problem+json');
    setUsualRetryAfter(response);
    response.send(JSON.stringify(problem.toDocument(requestId)));
  };
}

const decided = [Problem, PasswordsBusy, MarketBudgetSpent];
