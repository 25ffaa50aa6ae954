import { access, chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of the embedded Temporal server in one home. */
export interface TemporalFiles {
  readonly database: string;
  readonly logFile: string;
  /** Puts aside a database that never became usable. Nothing can be lost: nobody was ever given its address. */
  setAsideIncomplete(): Promise<void>;
  /** Notes that the database is whole, and closes it to other users. */
  markComplete(): Promise<void>;
}

/** SQLite's file and its companions. */
const SUFFIXES = ['', '-wal', '-shm'] as const;

/**
 * The server makes its schema only when the file is missing. Killed in between, it leaves a file without tables and would
 * fail at every later start; a mark beside the file tells such a one from a good one.
 */
export function temporalFiles(home: string): TemporalFiles {
  const database = join(home, 'temporal.db');
  const mark = join(home, 'temporal.ready');
  return {
    database,
    logFile: join(home, 'logs', 'temporal.log'),
    setAsideIncomplete: async () => {
      if (!(await exists(database))) await rm(mark, { force: true });
      if (await exists(mark)) return;
      for (const suffix of SUFFIXES) {
        if (await exists(`${database}${suffix}`)) {
          await rename(`${database}${suffix}`, `${database}.incomplete${suffix}`);
        }
      }
    },
    markComplete: async () => {
      for (const suffix of SUFFIXES) await chmod(`${database}${suffix}`, 0o600).catch(() => undefined);
      await writeFile(mark, '', { mode: 0o600 });
    },
  };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
