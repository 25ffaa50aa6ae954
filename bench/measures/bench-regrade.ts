import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { projectFiles } from '../../config/project-files.js';
import { gradeForecast, graderVersion } from '../../council/track-record/grade.js';
import { parseRecordedForecast } from '../../council/track-record/parse-recorded-forecast.js';
import { keepGrade, readGradable } from '../../db/track-record/grades.js';
import type { regrade } from '../../workflows/regrade.js';
import { type Measured, rounded } from '../results/measurement.js';
import { plantReports } from '../services/plant-reports.js';
import { type BenchServices, withBenchServices } from '../services/with-bench-services.js';

const reports = 10_000;
const bareReports = 1_000;

/**
 * How fast a batch grades: 10,000 reports by one worker, against the bare loop that reads, grades and stores one report
 * after the other without Temporal. The ratio is what durability costs, or what working on several at once gains.
 */
export function benchRegrade(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withBenchServices(env, measure);
}

async function measure({ database, manifest, temporalAddress, env }: BenchServices): Promise<Measured> {
  await plantReports(database.db, reports);
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
    const begunMs = performance.now();
    const { graded } = await batch();
    const seconds = (performance.now() - begunMs) / 1_000;
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
        head: ['reports', 'graded a second', 'bare loop a second', 'ratio'],
        rows: [[graded, rounded(graded / seconds, 0), rounded(bare, 0), rounded(graded / seconds / bare)]],
      },
      goals: [],
    };
  } finally {
    worker.kill('SIGTERM');
    await connection.close();
  }
}

/** The same work once more under another version of the grader, one report at a time. */
async function bareRate({ db }: BenchServices['database']): Promise<number> {
  const begunMs = performance.now();
  for (let id = 1; id <= bareReports; id += 1) {
    const [report] = await readGradable(db, [id]);
    const forecast = report === undefined ? null : parseRecordedForecast(report.payload);
    if (report?.outcomes == null || report.resolutionId === null || forecast === null) continue;
    const grade = gradeForecast(forecast, report.outcomes);
    if (grade === 'pending') continue;
    const { resolutionId } = report;
    await keepGrade(db, { reportId: id, resolutionId, grader: 'bench', ...grade, now: new Date() });
  }
  return bareReports / ((performance.now() - begunMs) / 1_000);
}
