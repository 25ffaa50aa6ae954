import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Db } from '../../../db/database.js';
import { type ChangedGrade, listChangedGrades } from '../../../db/track-record/changed-grades.js';
import { readGradableReports } from '../../../db/track-record/grades.js';
import { listUngradedReports } from '../../../db/track-record/grading-selections.js';
import { gradeForecast, graderVersion } from '../../../record/grades/grade.js';
import {
  type GradingFailure,
  type GradingResult,
  type GradingSelection,
  gradingName,
} from '../../../record/grades/grading.js';
import { parseRecordedForecast } from '../../../record/parse-recorded-forecast.js';
import { Failure } from '../../terminal/failure.js';

/**
 * A file that takes what a grading batch did. From the beginning it names the batch and when it began, so that a command
 * that is interrupted and typed again reports all of it.
 */
export class RegradeFile {
  private readonly path: string;
  private readonly db: Db;
  private readonly selection: GradingSelection;

  constructor(path: string, db: Db, selection: GradingSelection) {
    this.path = path;
    this.db = db;
    this.selection = selection;
  }

  /**
   * Writes the beginning of the file.
   * @param startedAt when the batch began that runs now
   * @returns since when grades count as made by the batch: earlier, if the file has the beginning of the same batch
   */
  begin(startedAt: Date): Date {
    const batch = gradingName(this.selection);
    const earlier = readBeginning(this.path);
    const isSame = earlier?.batch === batch && !earlier.finished;
    const since = isSame ? new Date(Math.min(Date.parse(earlier.since), startedAt.getTime())) : startedAt;
    this.write({ batch, since: since.toISOString(), finished: false });
    return since;
  }

  /** Writes the result: counts, each failure, and each report that got another grade. */
  async finish(since: Date, { failures: named, ...tally }: GradingResult): Promise<void> {
    const failures = tally.failed > named.length ? await this.allFailures(named) : named;
    const changes = await inPages(after =>
      listChangedGrades(this.db, this.selection, { since, after, limit: page }),
    );
    this.write({
      batch: gradingName(this.selection),
      since: since.toISOString(),
      finished: true,
      ...tally,
      failures,
      failures_not_named: Math.max(0, tally.failed - failures.length),
      changes: changes.map(documentOf),
    });
  }

  /** The batch names only its first failures. A report that it did not grade although it can be graded is another. */
  private async allFailures(named: readonly GradingFailure[]): Promise<GradingFailure[]> {
    const known = new Set(named.filter(({ subject }) => subject === 'report').map(({ id }) => id));
    const found: GradingFailure[] = [];
    const grader = graderVersion;
    await inPages(async after => {
      const ids = await listUngradedReports(this.db, this.selection, { after, limit: page, grader });
      found.push(...(await this.failuresAmong(ids)));
      return ids.map(reportId => ({ reportId }));
    });
    return [...named, ...found.filter(({ id }) => !known.has(id))];
  }

  private async failuresAmong(reportIds: readonly number[]): Promise<GradingFailure[]> {
    const reports = await readGradableReports(this.db, reportIds);
    return reports.flatMap(({ reportId, payload, outcomes }): GradingFailure[] => {
      const forecast = parseRecordedForecast(payload);
      const failure = { subject: 'report' as const, id: String(reportId) };
      if (forecast === null) return [{ ...failure, reason: 'record_unreadable' }];
      const isPending = outcomes === null || gradeForecast(forecast, outcomes) === 'pending';
      return isPending ? [] : [{ ...failure, reason: 'not_kept' }];
    });
  }

  private write(document: object): void {
    try {
      writeFileSync(this.path, `${JSON.stringify(document, null, 2)}\n`);
    } catch (error) {
      throw new Failure(`${this.path} cannot be written: ${String(error)}`, {
        next: 'Name another file with --out. The batch continues.',
        cause: error,
      });
    }
  }
}

const page = 1_000;

async function inPages<Row extends { readonly reportId: number }>(
  list: (after: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const rows = await list(all.at(-1)?.reportId ?? 0);
    all.push(...rows);
    if (rows.length < page) return all;
  }
}

function documentOf({ reportId, before, after, reason, gradedAt }: ChangedGrade) {
  return {
    report_id: reportId,
    old_state: before,
    new_state: after,
    why: reason,
    graded_at: gradedAt.toISOString(),
  };
}

const beginningShape = z.object({ batch: z.string(), since: z.iso.datetime(), finished: z.boolean() });

/** Null if there is no such file. */
function readBeginning(path: string): z.infer<typeof beginningShape> | null {
  try {
    return beginningShape.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
