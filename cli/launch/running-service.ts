import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const runningShape = z.object({
  databaseUrl: z.string(),
  url: z.string(),
  /** Null where it is found by a profile of Temporal's own tools. */
  temporalAddress: z.string().nullable(),
});

/** Where the service that runs on a COUNCIL_HOME can be found, for the command line beside it. */
export type RunningService = z.infer<typeof runningShape>;

/** Leaves a note, readable by its owner only: it holds the password of the embedded database. */
export function noteRunning(home: string, service: RunningService): void {
  writeFileSync(noteIn(home), JSON.stringify(service), { mode: 0o600 });
}

export function forgetRunning(home: string): void {
  rmSync(noteIn(home), { force: true });
}

/** Null when no service was left running there. */
export function findRunning(home: string): RunningService | null {
  try {
    return runningShape.parse(JSON.parse(readFileSync(noteIn(home), 'utf8')));
  } catch {
    return null;
  }
}

function noteIn(home: string): string {
  return join(home, 'running.json');
}
