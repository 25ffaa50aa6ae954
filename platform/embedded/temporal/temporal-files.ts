import { access, chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of the embedded Temporal server in a home. */
export interface TemporalFiles {
  readonly database: string;
  readonly logFile: string;
  /** Renames a database that never became usable. No data are lost: the server never accepted any. */
  setAsideIncomplete(): Promise<void>;
  /** Marks the database as complete, and removes the access of other users. */
  markComplete(): Promise<void>;
}

/** The database file of SQLite and the files beside it. */
const SUFFIXES = ['', '-wal', '-shm'] as const;

/**
 * The server creates its schema only if the file is missing. If it is killed in between, the file has no tables and
 * every later start fails. A marker file tells a complete database from such a one.
 */
export function temporalFiles(home: string): TemporalFiles {
  const database = join(home, 'temporal.db');
  const marker = join(home, 'temporal.ready');
  return {
    database,
    logFile: join(home, 'logs', 'temporal.log'),
    setAsideIncomplete: async () => {
      if (!(await exists(database))) await rm(marker, { force: true });
      if (await exists(marker)) return;
      for (const suffix of SUFFIXES) {
        if (await exists(`${database}${suffix}`)) {
          await rename(`${database}${suffix}`, `${database}.incomplete${suffix}`);
        }
      }
    },
    markComplete: async () => {
      for (const suffix of SUFFIXES) await chmod(`${database}${suffix}`, 0o600).catch(() => undefined);
      await writeFile(marker, '', { mode: 0o600 });
    },
  };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
