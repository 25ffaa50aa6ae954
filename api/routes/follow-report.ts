import type { Request } from 'express';
import { type reportStreamOperations, streamHeader } from '../../contract/report-stream.js';
import { hasEnded } from '../../council/report.js';
import { readReportVersion } from '../../db/reports/reports.js';
import type { ApiContext } from '../context.js';
import { setStreamHeaders } from '../http/event-stream.js';
import { parseParameters } from '../http/parse.js';
import { type Handlers, sent } from '../http/serve-operations.js';
import { tagReportId } from '../middleware/tag-request.js';
import type { HeldAnswers } from '../reading/held-answers.js';
import { holdStream } from '../reading/hold-stream.js';
import { ReportStreams } from '../reading/report-streams.js';
import { reportNotFound } from './reports.js';

/** The event stream of a report. */
export function reportStreamHandlers(
  context: ApiContext,
  heldAnswers: HeldAnswers,
): Handlers<typeof reportStreamOperations> {
  const streams = new ReportStreams(context);
  return {
    followReport: async ({ parameters: { id }, caller: { accountId }, request, response }) => {
      tagReportId(response, id);
      const after = lastEventId(request);
      const report = await readReportVersion(context.db, accountId, id);
      if (report === null) throw reportNotFound();
      if (!hasEnded(report.status)) await holdStream(context, heldAnswers, { accountId, response });
      setStreamHeaders(response);
      if (request.method === 'HEAD' || response.destroyed) response.end();
      else streams.follow(response, { reportId: id, after });
      return sent;
    },
  };
}

/** The position of the last event that the caller has; 0 for none. */
function lastEventId(request: Request): number {
  const given = { 'Last-Event-ID': request.get('last-event-id') };
  return Number(parseParameters(streamHeader, given)['Last-Event-ID'] ?? 0);
}
