import type { Request } from 'express';
import { type reportStreamOperations, streamHeader } from '../../contract/report-stream.js';
import { hasEnded } from '../../council/report.js';
import { readReportVersion } from '../../db/reports/reports.js';
import { streamSeconds } from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import { parseParameters } from '../http/parse.js';
import { type Handlers, sent } from '../http/serve-operations.js';
import { tagReportId } from '../middleware/tag-request.js';
import type { HeldAnswers } from '../reading/held-answers.js';
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
      if (!hasEnded(report.status)) {
        const until = new Date(context.now().getTime() + streamSeconds * 1_000);
        const free = await heldAnswers.hold({ accountId, until });
        // The caller may have left while the place was taken.
        if (response.destroyed) await free();
        else response.once('close', () => void free());
      }
      // Not by `set`, which adds a character set: the type has one only.
      response.setHeader('Content-Type', 'text/event-stream');
      response.setHeader('Cache-Control', 'no-store');
      // nginx would otherwise collect events before it passes them on.
      response.setHeader('X-Accel-Buffering', 'no');
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
