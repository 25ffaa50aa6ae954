import { DefaultLogger, type LogEntry, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

/**
 * Sends what the Temporal SDK logs, workflows, activities and its native part included, into the service's own log;
 * lets it tell its figures where they are asked for; and leaves the signals to the service: it alone knows in which
 * order things must end.
 * @param isStarting whether a time (Unix, in milliseconds) belongs to a start that is to be quiet
 */
export function installTemporalRuntime(
  log: Logger,
  isStarting: (atMs: number) => boolean,
  sdkMetricsAddress: string | null,
): void {
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: {
      // Unforwarded, the native part would write lines of its own kind among ours.
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(sdkMetricsAddress === null
        ? {}
        : { metrics: { prometheus: { bindAddress: sdkMetricsAddress, ...prometheusNames } } }),
    },
    logger: new DefaultLogger('INFO', entry => {
      const isQuiet = isStarting(Number(entry.timestampNanos / nanosPerMs));
      if (!isQuiet || entry.level === 'ERROR' || entry.level === 'WARN') forward(log, entry);
    }),
  });
}

const nanosPerMs = 1_000_000n;

/**
 * An activity's line carries `workflowId`, `activityType` and `attempt` by itself. Its task token says nothing to
 * anybody.
 */
function forward(log: Logger, { level, message, meta }: LogEntry): void {
  const { taskToken: _, ...told } = meta ?? {};
  const fields = { ...told, temporal: true };
  if (level === 'ERROR') log.error(fields, message);
  else if (isOfStarting(message, fields)) log.debug(fields, message);
  else if (level === 'WARN') log.warn(fields, message);
  else log.info(fields, message);
}

/**
 * What each of a process's workers has to say of its own start. Those for model calls have no workflows, and are to
 * have none.
 */
function isOfStarting(message: string, meta: object): boolean {
  return (
    'sdkComponent' in meta &&
    meta.sdkComponent === 'worker' &&
    /^(Worker state changed|No \w+ services registered|No workflows registered)/.test(message)
  );
}

const prometheusNames = {
  // As Prometheus names things: a counter ends with `_total`, a time with its unit.
  countersTotalSuffix: true,
  unitSuffix: true,
  useSecondsForDurations: true,
  // The SDK's own begin at 0.1 s and jump by fives: whether a queue is late is decided well below.
  histogramBucketOverrides: {
    temporal_activity_schedule_to_start_latency: queueLagSeconds(),
    temporal_workflow_task_schedule_to_start_latency: queueLagSeconds(),
  },
};

function queueLagSeconds(): number[] {
  return [0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10, 30, 60];
}
