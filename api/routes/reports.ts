import type { Request, Response } from 'express';
import type { purchaseOperations } from '../../contract/purchase.js';
import { reportMarkdown } from '../../contract/report-text/report-markdown.js';
import type { reportOperations } from '../../contract/reports.js';
import { findSampleReport, listReports } from '../../db/reports/reports.js';
import { isRefusal } from '../../purchase/purchase.js';
import type { ApiContext } from '../context.js';
import { matchesEtag, reportEtag } from '../http/etag.js';
import { Problem } from '../http/problem.js';
import { type Handlers, sent } from '../http/serve-operations.js';
import { tagReportId } from '../middleware/tag-request.js';
import { presentReceipt } from '../present/prices.js';
import { presentReport, presentReportSummary } from '../present/report.js';
import type { MarketOf } from '../purchases/account-market.js';
import { checkPurchase, laneOf } from '../purchases/check-report.js';
import { resolveEvent } from '../purchases/find-event.js';
import type { ReadGrantClaimant } from '../purchases/grant-claimant.js';
import { idempotencyOf, readIdempotencyKey } from '../purchases/idempotency.js';
import { buyReport, setRunLimitHeaders } from '../purchases/purchase-report.js';
import { createFrozenParts } from '../reading/frozen-parts.js';
import type { HeldAnswers } from '../reading/held-answers.js';
import { createRecordEntries } from '../reading/record-entries.js';
import { createReportBodies, type ReportBodies } from '../reading/report-bodies.js';
import {
  type ReportReader as Reader,
  type ViewedReport,
  versionOf,
  viewReport,
} from '../reading/view-report.js';
import { readWait, waitForReport } from '../reading/wait-for-report.js';

/** The sample report is the same for everybody: a cache may keep it, and has to ask whether it is the present one. */
const sampleCacheControl = 'public, no-cache';

/** For reports that are not finished. */
const retryAfterSeconds = 2;

interface ReportReader extends ApiContext, Reader {
  readonly heldAnswers: HeldAnswers;
}

type PurchaseHandlers = Handlers<typeof purchaseOperations>;
type ReportHandlers = Handlers<typeof reportOperations>;

/** Price checks and purchases. */
export function purchaseHandlers(
  context: ApiContext,
  readClaimant: ReadGrantClaimant,
  marketOf: MarketOf,
): PurchaseHandlers {
  return {
    checkReport: check(context, readClaimant, marketOf),
    createReport: buy(context, readClaimant, marketOf),
  };
}

/** The reports of an account, and the sample report. */
export function reportHandlers(context: ApiContext, heldAnswers: HeldAnswers): ReportHandlers {
  const readRecordEntry = createRecordEntries(context);
  const reader = {
    ...context,
    readRecordEntry,
    frozenParts: createFrozenParts(context.db, readRecordEntry),
    heldAnswers,
  };
  return {
    listReports: async ({ query: { page, per_page, status = null }, caller }) => {
      const range = { page, perPage: per_page, status };
      const { rows, total } = await listReports(context.db, caller.accountId, range);
      return { reports: rows.map(presentReportSummary), page, per_page, total };
    },
    getReport: read(reader, createReportBodies()),
    getSampleReport: sample(reader),
  };
}

function check(
  context: ApiContext,
  readClaimant: ReadGrantClaimant,
  marketOf: MarketOf,
): PurchaseHandlers['checkReport'] {
  return async ({ query, parameters: { event_id }, caller: principal, request }) => {
    const { accountId, apiKeyId } = principal;
    const lane = await laneOf(context, principal, query.lane);
    const ofAccount = { ...context, markets: marketOf(accountId) };
    const event = await resolveEvent(ofAccount, event_id, 'check');
    const claimant = await readClaimant(request, accountId);
    return checkPurchase(ofAccount, {
      ...event,
      accountId,
      apiKeyId,
      lane,
      claimant,
      minMembers: query.min_members,
    });
  };
}

function buy(
  context: ApiContext,
  readClaimant: ReadGrantClaimant,
  marketOf: MarketOf,
): PurchaseHandlers['createReport'] {
  return async ({ body, caller: principal, request, response }) => {
    const key = readIdempotencyKey(request);
    const ofAccount = { ...context, markets: marketOf(principal.accountId) };
    const [event, lane, claimant] = await Promise.all([
      resolveEvent(ofAccount, body.event_id, 'purchase'),
      laneOf(context, principal, body.lane),
      readClaimant(request, principal.accountId),
    ]);
    const { accountId, apiKeyId } = principal;
    const outcome = await buyReport(ofAccount, {
      accountId,
      apiKeyId,
      ...event,
      lane,
      quotedCredits: body.quoted_credits ?? null,
      quotedUsdCents: body.quoted_usd_cents ?? null,
      quotedPool: body.quoted_pool ?? null,
      claimant,
      ...(body.min_members === undefined ? {} : { minMembers: body.min_members }),
      idempotency: idempotencyOf(key, body, event.eventId),
    });
    await setRunLimitHeaders(context, response, principal.accountId);
    if (isRefusal(outcome)) throw Problem.of(outcome);
    tagReportId(response, outcome.reportId);
    if (outcome.replayed) response.set('Idempotent-Replayed', 'true');
    if (outcome.kind === 'fresh') setRetryAfter(response.status(202));
    response.set('Location', `/api/reports/${outcome.reportId}`);
    return presentReceipt(outcome);
  };
}

/** A light query finds the report's version. For most reads it is enough: they are of ended reports. */
function read(context: ReportReader, bodies: ReportBodies): ReportHandlers['getReport'] {
  return async ({ parameters: { id }, caller: { accountId }, request, response }) => {
    tagReportId(response, id);
    const waitSeconds = readWait(request);
    const version = await waitForReport(context, { accountId, id, waitSeconds, gone: goneSignal(response) });
    // Not before: a refusal has applied nothing.
    if (waitSeconds > 0) response.set('Preference-Applied', `wait=${waitSeconds}`);
    if (version === null) throw reportNotFound();
    response.vary('Accept');
    const viewed = () => viewReport(context, { accountId, id });
    const view = () => (waitSeconds > 0 ? context.heldAnswers.read(viewed) : viewed());
    if (request.accepts(['application/json', 'text/markdown']) === 'text/markdown')
      return sendMarkdown(request, response, await view());
    const etag = reportEtag(version);
    const body = etag === null ? undefined : bodies.find(version);
    if (etag !== null && (body !== undefined || matchesEtag(request, etag)))
      return sendVersion(request, response, etag, body);
    const found = await view();
    if (found === null) throw reportNotFound();
    const report = presentReport(found);
    if (found.etag !== null)
      return sendVersion(request, response, found.etag, bodies.keep(versionOf(found), report));
    setRetryAfter(response);
    return report;
  };
}

export function reportNotFound(): Problem {
  return new Problem('not_found', 'There is no report with this id.');
}

/** The public sample report, without the id of the API key that bought it. */
function sample(context: ReportReader): ReportHandlers['getSampleReport'] {
  return async ({ request, response }) => {
    const shown = context.simulated ? await findSampleReport(context.db) : null;
    const found = shown === null ? null : await viewReport(context, shown);
    if (found === null || found.etag === null)
      throw new Problem('not_found', 'This service has no sample report.');
    response.set('Cache-Control', sampleCacheControl);
    const json = JSON.stringify(presentReport({ ...found, report: { ...found.report, apiKeyId: null } }));
    return sendVersion(request, response, found.etag, json);
  };
}

/** Aborted once the caller has disconnected. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/**
 * Sends one version of something, or 304 to a caller who has it.
 * @param text not needed for a caller who has this version
 */
export function sendVersion(
  request: Request,
  response: Response,
  etag: string,
  text: string | undefined,
  type = 'application/json',
): typeof sent {
  response.set('ETag', etag);
  if (matchesEtag(request, etag)) response.status(304).end();
  else response.type(type).send(text);
  return sent;
}

/** The report in words. Its tag is not that of the JSON. */
function sendMarkdown(request: Request, response: Response, found: ViewedReport | null): typeof sent {
  if (found === null) throw reportNotFound();
  const text = `${reportMarkdown(presentReport(found))}\n`;
  if (found.etag !== null)
    return sendVersion(request, response, found.etag.replace(/"$/, '.md"'), text, 'text/markdown');
  setRetryAfter(response).type('text/markdown').send(text);
  return sent;
}

function setRetryAfter(response: Response): Response {
  return response.set('Retry-After', String(retryAfterSeconds));
}
