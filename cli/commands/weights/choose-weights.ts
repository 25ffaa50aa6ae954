import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { firstWeights, shippedWeights } from '../../../council/estimate/first-weights.js';
import { parseWeights } from '../../../council/estimate/parse-weights.js';
import type { Weights } from '../../../council/estimate/weights.js';
import { weightsSha256 } from '../../../db/digests.js';
import { findWeights, type StoredWeights } from '../../../db/estimate/weights.js';
import type { CommandContext } from '../../command-context.js';
import { Failure } from '../../terminal/failure.js';

/**
 * The weights that an operator names: those that a release of the service shipped with, an artefact file by its path, or stored ones
 * by their id, for which alone a database is needed.
 * @param name by default the weights that the service ships with
 */
export async function chooseWeights(
  context: CommandContext,
  name: string = shippedWeights.id,
): Promise<StoredWeights> {
  const known = [shippedWeights, firstWeights].find(({ id }) => id === name);
  if (known !== undefined) return withHash(known);
  if (existsSync(name)) return withHash(readArtefact(name));
  const stored = context.settings().DATABASE_URL === undefined ? null : await readStored(context, name);
  if (stored !== null) return stored;
  throw new Failure(`There are no weights ${name}, and no file of that name.`, {
    next: `Name ${shippedWeights.id}, the path of an artefact, or, with DATABASE_URL, an id of \`weights list\`.`,
  });
}

async function readStored(context: CommandContext, id: string): Promise<StoredWeights | null> {
  let found: StoredWeights | null = null;
  await context.database(async db => {
    found = await findWeights(db, id);
  });
  return found;
}

function withHash(weights: Weights): StoredWeights {
  return { weights, sha256: weightsSha256(weights) };
}

function readArtefact(path: string): Weights {
  try {
    return parseWeights(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Failure(`${path} is not an artefact of weights: ${reason}`, {
      next: 'Write one with `weights fit FILE --out PATH`.',
      cause: error,
    });
  }
}
