import { type Request, type RequestHandler, type Response, Router } from 'express';
import { checkParameters, purchaseRequestSchema } from '../../contract/purchase.js';
import { reportListParameters, reportParameters } from '../../contract/reports.js';
import { isRefusal } from '../../council/purchase/purchase.js';
import { findSampleReport, listReports, readReportVersion } from '../../db/reports/reports.js';
import { anyone, principalOf } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { isConditional, matchesEtag, reportEtag } from '../http/etag.js';
import { parseBody, parseParameters } from '../http/parse.js';
import { Problem } from '../http/problem.js';
import { tagReportId } from '../middleware/tag-request.js';
import { presentReceipt } from '../present/prices.js';
import { presentReport, presentReportSummary } from '../present/report.js';
import { checkReport, laneOf } from '../purchases/check-report.js';
import { resolveEvent } from '../purchases/find-event.js';
import { idempotencyOf, readIdempotencyKey } from '../purchases/idempotency.js';
import { purchaseReport, setRunLimitHeaders } from '../purchases/purchase-report.js';
import { createFrozenParts } from '../reading/frozen-parts.js';
import { createHeldAnswers } from '../reading/held-answers.js';
import {
  type ReportReader,
  type ReportView,
  readWait,
  viewReport,
  waitForReport,
} from '../reading/wait-for-report.js';

/** The sample report is the same for everybody: a cache may keep it, and has to ask whether it is the present one. */
const sampleCacheControl = 'public, no-cache';

/** For reports that are not finished. */
const retryAfterSeconds = 2;

/** `/api/reports`: price checks, purchases and reads. */
export function reportsRouter(context: ApiContext): Router {
  const reader = {
    ...context,
    frozenParts: createFrozenParts(context.db),
    heldAnswers: createHeldAnswers(context),
  };
  return Router()
    .get('/sample', sample(reader))
    .get('/check/:event_id', anyone(context), check(context))
    .post('/', anyone(context), buy(context))
    .get('/', anyone(context), list(context))
    .get('/:id', anyone(context), read(reader));
}

function check(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const { lane: requestedLane } = parseParameters(checkParameters, request.query);
    const principal = principalOf(response);
    const lane = await laneOf(context, principal, requestedLane);
    const event = await resolveEvent(context, String(request.params['event_id']));
    response.json(await checkReport(context, { ...event, accountId: principal.accountId, lane }));
  };
}

function buy(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const body = parseBody(purchaseRequestSchema, request);
    const key = readIdempotencyKey(request);
    const principal = principalOf(response);
    const event = await resolveEvent(context, body.event_id);
    const outcome = await purchaseReport(context, {
      ...principal,
      ...event,
      lane: await laneOf(context, principal, body.lane),
      quotedCredits: body.quoted_credits ?? null,
      quotedUsdCents: body.quoted_usd_cents ?? null,
      quotedPool: body.quoted_pool ?? null,
      idempotency: idempotencyOf(key, body, event.eventId),
    });
    await setRunLimitHeaders(context, response, principal.accountId);
    if (isRefusal(outcome)) throw Problem.of(outcome);
    tagReportId(response, outcome.reportId);
    if (outcome.replayed) response.set('Idempotent-Replayed', 'true');
    if (outcome.kind === 'fresh') setRetryAfter(response.status(202));
    response.set('Location', `/api/reports/${outcome.reportId}`).json(presentReceipt(outcome));
  };
}

function list(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const { page, per_page, status = null } = parseParameters(reportListParameters, request.query);
    const { accountId } = principalOf(response);
    const { rows, total } = await listReports(context.db, accountId, { page, perPage: per_page, status });
    response.json({ reports: rows.map(presentReportSummary), page, per_page, total });
  };
}

function read(context: ReportReader): RequestHandler {
  return async (request, response) => {
    const { id } = parseParameters(reportParameters, request.params);
    tagReportId(response, id);
    const { accountId } = principalOf(response);
    const waitSeconds = readWait(request);
    // For a caller with a cached copy, one light query finds out whether the report has changed.
    const version = isConditional(request) ? await readReportVersion(context.db, accountId, id) : null;
    const etag = version === null ? null : reportEtag(version);
    const isKnown = etag !== null && matchesEtag(request, etag);
    const found = isKnown
      ? null
      : await waitForReport(context, { accountId, id, waitSeconds, gone: goneSignal(response) });
    // Not before: a refusal has applied nothing.
    if (waitSeconds > 0) response.set('Preference-Applied', `wait=${waitSeconds}`);
    if (isKnown) sendNotModified(response, etag);
    else if (found === null) throw new Problem('not_found', 'There is no report with this id.');
    else sendReport(request, response, found);
  };
}

/** The public sample report, without the id of the API key that bought it. */
function sample(context: ReportReader & Pick<ApiContext, 'simulated'>): RequestHandler {
  return async (request, response) => {
    const shown = context.simulated ? await findSampleReport(context.db) : null;
    const found = shown === null ? null : await viewReport(context, shown);
    if (found === null) throw new Problem('not_found', 'This service has no sample report.');
    response.set('Cache-Control', sampleCacheControl);
    sendReport(request, response, { ...found, report: { ...found.report, apiKeyId: null } });
  };
}

/** Aborted once the caller has disconnected. */
function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

function sendReport(request: Request, response: Response, found: ReportView): void {
  if (found.etag !== null && matchesEtag(request, found.etag)) return sendNotModified(response, found.etag);
  if (found.etag === null) setRetryAfter(response);
  else response.set('ETag', found.etag);
  response.json(presentReport(found));
}

function sendNotModified(response: Response, etag: string): void {
  response.set('ETag', etag).status(304).end();
}

function setRetryAfter(response: Response): void {
  response.set('Retry-After', String(retryAfterSeconds));
}
