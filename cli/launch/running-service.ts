import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const runningShape = z.object({
  databaseUrl: z.string(),
  url: z.string(),
  /** Null when a profile of Temporal's own tools names the server. */
  temporalAddress: z.string().nullable(),
});

/** The addresses of the service that runs on a COUNCIL_HOME, for the command line on the same machine. */
export type RunningService = z.infer<typeof runningShape>;

/** Writes them to a file that only its owner can read: it contains the password of the embedded database. */
export function recordRunning(home: string, service: RunningService): void {
  writeFileSync(pathIn(home), JSON.stringify(service), { mode: 0o600 });
}

export function clearRunning(home: string): void {
  rmSync(pathIn(home), { force: true });
}

/** Null without such a file. */
export function findRunning(home: string): RunningService | null {
  try {
    return runningShape.parse(JSON.parse(readFileSync(pathIn(home), 'utf8')));
  } catch {
    return null;
  }
}

function pathIn(home: string): string {
  return join(home, 'running.json');
}
