import { type NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { TemporalManifest } from '../config/temporal-manifest.js';
import type { ChoreActivities } from './chore-activities.js';
import type { GradingActivities } from './grading-activities.js';
import type { ReportActivities } from './report-activities.js';

export interface WorkerSetup {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly manifest: TemporalManifest;
  readonly workflowBundle: WorkflowBundleOption;
  readonly activities: ReportActivities & ChoreActivities & GradingActivities;
}

/** A worker on the project's task queue, sized as `temporal.yaml` says. */
export async function createWorker(setup: WorkerSetup): Promise<Worker> {
  const { worker, task_queue } = setup.manifest;
  return Worker.create({
    connection: setup.connection,
    namespace: setup.namespace,
    taskQueue: task_queue,
    workflowBundle: setup.workflowBundle,
    activities: setup.activities,
    maxConcurrentWorkflowTaskExecutions: worker.workflow_task_slots,
    maxConcurrentActivityTaskExecutions: worker.activity_slots,
    maxEagerActivityReservationsPerWorkflowTask: worker.eager_activities_per_workflow_task,
    shutdownGraceTime: worker.shutdown_grace_ms,
  });
}
