import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { readGradableReports, saveGrade } from '../../../db/track-record/grades.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { gradeForecast, graderVersion } from '../../../record/grades/grade.js';
import { parseRecordedForecast } from '../../../record/parse-recorded-forecast.js';
import type { regrade } from '../../../workflows/regrade.js';
import { type Measured, rounded } from '../results/measurement.js';
import { seedReports } from '../services/seed-reports.js';
import { type BenchServices, withBenchServices } from '../services/with-bench-services.js';

const reports = 10_000;
const bareReports = 1_000;

/**
 * Compares the grading of 10,000 reports by one worker with a bare loop that reads, grades and stores one
 * report at a time without Temporal. The ratio shows the cost of durability minus the gain from concurrency.
 */
export function benchRegrade(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withBenchServices(env, measure);
}

async function measure({ database, manifest, temporalAddress, env }: BenchServices): Promise<Measured> {
  await seedReports(database.db, reports);
  const worker = spawn('node', [join(projectFiles.root, 'dist', 'activities', 'worker.js')], {
    env,
    stdio: 'ignore',
  });
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const client = new Client({ connection, namespace: manifest.namespace });
    const batch = () =>
      client.workflow.execute<typeof regrade>('regrade', {
        workflowId: 'regrade/all/bench',
        taskQueue: manifest.task_queue,
        args: [{ selection: { kind: 'all', grader: graderVersion }, settings: manifest.grading }],
      });
    const startMs = performance.now();
    const { graded } = await batch();
    const seconds = (performance.now() - startMs) / 1_000;
    const bare = await bareRate(database);
    return {
      figures: {
        reports: graded,
        seconds: rounded(seconds),
        reports_per_second: rounded(graded / seconds),
        bare_loop_reports_per_second: rounded(bare),
        ratio_to_bare_loop: rounded(graded / seconds / bare),
      },
      table: {
        head: ['reports', 'graded per second', 'bare loop per second', 'ratio'],
        rows: [[graded, rounded(graded / seconds, 0), rounded(bare, 0), rounded(graded / seconds / bare)]],
      },
      goals: [],
    };
  } finally {
    worker.kill('SIGTERM');
    await connection.close();
  }
}

/** Repeats the work with another grader version, one report at a time. */
async function bareRate({ db }: BenchServices['database']): Promise<number> {
  const startMs = performance.now();
  for (let id = 1; id <= bareReports; id += 1) {
    const [report] = await readGradableReports(db, [id]);
    const forecast = report === undefined ? null : parseRecordedForecast(report.payload);
    if (report?.outcomes == null || report.resolutionId === null || forecast === null) continue;
    const grade = gradeForecast(forecast, report.outcomes);
    if (grade === 'pending') continue;
    const { resolutionId } = report;
    await saveGrade(db, { reportId: id, resolutionId, grader: 'bench', ...grade, now: new Date() });
  }
  return bareReports / ((performance.now() - startMs) / 1_000);
}
