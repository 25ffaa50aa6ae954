import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { CouncilClient } from '../../client/council-client.js';
import type { ReportView } from '../../contract/reports.js';
import { progressStages } from '../../council/deliberation/stages.js';

/** What a tool may use while it serves one call. */
export interface Call {
  readonly api: CouncilClient;
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Notifies a client that asked for progress. */
  readonly reportProgress: (report: ReportView) => Promise<void>;
}

export function createCall(
  api: CouncilClient,
  { _meta: meta, signal, sendNotification }: RequestHandlerExtra<ServerRequest, ServerNotification>,
): Call {
  const progressToken = meta?.progressToken;
  let lastProgress = -1;
  return {
    api,
    signal,
    reportProgress: async report => {
      const progress = stagesDone(report);
      // The protocol requires that progress increases with each notification.
      if (progressToken === undefined || progress <= lastProgress) return;
      // Every model has answered, but the verdict is not stored yet. A total of 3 of 3 now would leave no
      // number for the end.
      if (progress === progressStages.length && report.progress !== null) return;
      lastProgress = progress;
      const params = {
        progressToken,
        progress,
        total: progressStages.length,
        message: progressMessage(report),
      };
      await sendNotification({ method: 'notifications/progress', params });
    },
  };
}

/** Stages completed, plus the finished share of the current stage: 1.5 is half-way through the second. */
function stagesDone({ progress, status }: ReportView): number {
  if (progress === null) return status === 'completed' ? progressStages.length : 0;
  return progressStages.indexOf(progress.stage) + (progress.of === 0 ? 0 : progress.done / progress.of);
}

function progressMessage({ progress, status }: ReportView): string {
  return progress === null ? status : `${progress.stage}: ${progress.done} of ${progress.of} models`;
}
