import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { ReportView } from '../../contract/reports.js';
import { stages } from '../../council/deliberation/stages.js';
import type { ApiClient } from '../api-client.js';
import type { Call } from './tool.js';

/** What a tool needs of a request of the protocol, and nothing else of it. */
export function openCall(
  api: ApiClient,
  extra: RequestHandlerExtra<ServerRequest, ServerNotification>,
): Call {
  const progressToken = extra._meta?.progressToken;
  let told = -1;
  return {
    api,
    signal: extra.signal,
    tellProgress: async report => {
      const progress = stagesDone(report);
      // The protocol wants every notification to be further than the one before.
      if (progressToken === undefined || progress <= told) return;
      // All have answered, but the verdict is not kept yet: told as whole now, the end could not be told any more.
      if (progress === stages.length && report.progress !== null) return;
      told = progress;
      const params = { progressToken, progress, total: stages.length, message: messageOf(report) };
      await extra.sendNotification({ method: 'notifications/progress', params });
    },
  };
}

/** In stages, with the part of the present one that is done: 1.5 is half-way through the second. */
function stagesDone({ progress, status }: ReportView): number {
  if (progress === null) return status === 'completed' ? stages.length : 0;
  return stages.indexOf(progress.stage) + (progress.of === 0 ? 0 : progress.done / progress.of);
}

function messageOf({ progress, status }: ReportView): string {
  return progress === null ? status : `${progress.stage}: ${progress.done} of ${progress.of} models`;
}
