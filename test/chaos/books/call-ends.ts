import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deployment } from '../deployment/deployment.js';

/** What became of the calls to models. */
export interface CallEnds {
  readonly recorded: number;
  /** Answers that were bought and not stored: sent back for a repair, late, or of a second call. */
  readonly unused: number;
  readonly aborted: number;
  /** Attempts that joined the call of an earlier one instead of repeating it. */
  readonly joined: number;
}

export async function readEnds({ database, home }: Deployment): Promise<CallEnds> {
  const { recorded, unused, aborted } = await database.db
    .selectFrom('provider_calls')
    .select(({ fn }) => [
      fn.countAll<number>().as('recorded'),
      fn
        .countAll<number>()
        .filterWhere('used', '=', false)
        .filterWhere('outcome', '=', 'answered')
        .as('unused'),
      fn.countAll<number>().filterWhere('outcome', '=', 'aborted').as('aborted'),
    ])
    .executeTakeFirstOrThrow();
  const logs = join(home, 'logs');
  const workers = (await readdir(logs)).filter(name => name.startsWith('worker'));
  const texts = await Promise.all(workers.map(name => readFile(join(logs, name), 'utf8')));
  return {
    recorded,
    unused,
    aborted,
    joined: texts.join('').split('an attempt joined a call in progress').length - 1,
  };
}
