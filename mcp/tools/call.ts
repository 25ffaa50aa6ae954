import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { CouncilReports } from '../../client/council-reports.js';
import type { ReportProgress } from '../../client/wait-for-report.js';
import type { ReportView } from '../../contract/reports.js';
import { progressStages } from '../../council/deliberation/stages.js';

/** What a tool may use while it serves one call. */
export interface Call {
  readonly api: CouncilReports;
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /**
   * Reads a report until its run has ended or the time is up, and notifies a client that asked for progress.
   * @param untilMs as `Date.now()` counts
   */
  readonly followReport: (reportId: number, untilMs: number) => Promise<ReportView>;
}

export function createCall(
  api: CouncilReports,
  { _meta: meta, signal, sendNotification }: RequestHandlerExtra<ServerRequest, ServerNotification>,
): Call {
  const { onProgress, onRead } = progressNotices({ progressToken: meta?.progressToken, sendNotification });
  return {
    api,
    signal,
    followReport: async (reportId, untilMs) => {
      const timeoutSeconds = Math.max(0, untilMs - Date.now()) / 1_000;
      const report = await api.reports.wait(reportId, { onProgress, timeoutSeconds, signal });
      await onRead(report);
      return report;
    },
  };
}

interface Notices {
  /** At each change of a run. */
  readonly onProgress: (progress: ReportProgress) => Promise<void>;
  /** When a report has been read. */
  readonly onRead: (report: ReportView) => Promise<void>;
}

/** Progress as the protocol notifies of it: stages completed, plus the finished share of the current stage. */
export function progressNotices({
  progressToken,
  sendNotification,
}: Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, 'sendNotification'> & {
  readonly progressToken: string | number | undefined;
}): Notices {
  let lastProgress = -1;
  const notify = async (progress: number, message: string) => {
    // The protocol requires that progress increases with each notification.
    if (progressToken === undefined || progress <= lastProgress) return;
    lastProgress = progress;
    const params = { progressToken, progress, total: progressStages.length, message };
    await sendNotification({ method: 'notifications/progress', params });
  };
  return {
    onProgress: async ({ stage, done, of }) => {
      // Every model has answered, but the verdict is not stored yet. A total of 3 of 3 now would leave no
      // number for the end.
      if (stage === 'conclusion') return;
      const progress = progressStages.indexOf(stage) + (of === 0 ? 0 : done / of);
      if (progress < progressStages.length) await notify(progress, `${stage}: ${done} of ${of} models`);
    },
    onRead: async ({ progress, status }) => {
      if (progress === null) await notify(status === 'completed' ? progressStages.length : 0, status);
    },
  };
}
