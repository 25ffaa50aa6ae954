import type { Request } from 'express';
import type { reportStreamOperations } from '../../contract/report-stream.js';
import { readReportState } from '../../db/reports/reports.js';
import { streamSeconds } from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
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
      const report = await readReportState(context.db, accountId, id);
      if (report === null) throw reportNotFound();
      const hasEnded = report.status === 'completed' || report.status === 'failed';
      if (!hasEnded) {
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

function lastEventId(request: Request): number {
  const id = request.get('last-event-id') ?? '0';
  if (/^\d{1,9}$/.test(id)) return Number(id);
  const detail = 'must be the id of an event of this stream';
  throw new Problem('invalid_request', `Last-Event-ID: ${detail}`, {
    errors: [{ parameter: 'Last-Event-ID', detail }],
  });
}
