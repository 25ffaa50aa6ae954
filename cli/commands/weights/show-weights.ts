import type { Command } from 'commander';
import type { Db } from '../../../db/database.js';
import { findActivatingRefit, findRefit, listRefits, type Refit } from '../../../db/estimate/refits.js';
import {
  activateWeights,
  findWeights,
  type ListedWeights,
  listWeights,
} from '../../../db/estimate/weights.js';
import type { CommandContext } from '../../command-context.js';
import { examples } from '../../terminal/command-line.js';
import { Failure } from '../../terminal/failure.js';
import type { Output } from '../../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('list')
    .description(
      'Lists all stored weights, the newest first, marks those in force with *, and lists the last refits with their e-values and the events counted.',
    )
    .summary('list stored weights and refits')
    .addHelpText('after', examples('weights list', 'weights list --json'))
    .action(async () => {
      await context.database(db => listStoredWeights(db, context.output));
    });
  group
    .command('show')
    .description(
      'Prints stored weights as JSON, with their hash, the refit that froze them, and the one that put them in force, each with its e-value and the events counted.',
    )
    .summary('print stored weights')
    .argument('<id>', 'an id of `weights list`')
    .addHelpText('after', examples('weights show halawi-2024-2'))
    .action(async (id: string) => {
      await context.database(db => showWeights(db, context.output, id));
    });
  group
    .command('activate')
    .description(
      'Puts stored weights in force for all reports that are concluded from now on. Completed reports keep their numbers. Also the way back to earlier weights.',
    )
    .summary('put stored weights in force')
    .argument('<id>', 'an id of `weights list`')
    .requiredOption('--reason <text>', 'the reason, stored with the activation')
    .addHelpText('after', examples('weights activate halawi-2024-2 --reason "back to the first weights"'))
    .action(async (id: string, { reason }: { reason: string }) => {
      await context.database(db =>
        activateStoredWeights(db, context.output, { id, reason, now: new Date() }),
      );
    });
}

/** Lists all stored weights, the newest first, and the last refits. */
async function listStoredWeights(db: Db, output: Output): Promise<void> {
  const listed = await listWeights(db);
  const refits = await listRefits(db, refitsShown);
  output.result(
    { weights: listed.map(listedDocument), refits: refits.map(refitDocument) },
    [...listed.map(listedLine), '', 'Last refits:', ...refitLines(refits)].join('\n'),
  );
}

const refitsShown = 10;

/** Shows the artefact of stored weights, with its hash. */
async function showWeights(db: Db, output: Output, id: string): Promise<void> {
  const found = await findWeights(db, id);
  if (found === null) throw unknown(id);
  const [refit, activatedBy] = [await findRefit(db, id), await findActivatingRefit(db, id)];
  const document = {
    ...found.weights,
    sha256: found.sha256,
    refit: refit && refitDocument(refit),
    activated_by: activatedBy && refitDocument(activatedBy),
  };
  output.result(document, JSON.stringify(document, null, 2));
}

interface ActivationOrder {
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
}

/** Puts stored weights in force for all reports that are concluded from now on. */
async function activateStoredWeights(db: Db, output: Output, order: ActivationOrder): Promise<void> {
  const { id, reason, now } = order;
  const did = await activateWeights(db, { weightsId: id, cause: 'operator', reason, now });
  if (did === 'unknown') throw unknown(id);
  output.result(
    { id, activated: did === 'activated' },
    did === 'activated'
      ? `${id} is in force. Reports that are already completed keep their numbers.`
      : `${id} was already in force.`,
  );
}

function unknown(id: string): Failure {
  return new Failure(`There are no weights ${id}.`, { next: 'List them with `weights list`.' });
}

function listedDocument({ weights, sha256, inForce, activation }: ListedWeights) {
  const { id, coefficients, lambda, trained_on, walk_forward, created_at } = weights;
  return {
    id,
    sha256,
    in_force: inForce,
    coefficients,
    lambda,
    events: trained_on.events,
    walk_forward,
    created_at,
    last_activation:
      activation === null
        ? null
        : {
            at: activation.activatedAt.toISOString(),
            cause: activation.cause,
            reason: activation.reason,
          },
  };
}

function listedLine({ weights, inForce, activation }: ListedWeights): string {
  const { market, council, council_by_dispersion } = weights.coefficients;
  return `${inForce ? '*' : ' '} ${weights.id}  market ${market}, council ${council} + ${council_by_dispersion} · dispersion  ${sinceText(inForce, activation)}`;
}

/** Weights that are in force without an activation are those that the release ships with. */
function sinceText(inForce: boolean, activation: ListedWeights['activation']): string {
  if (activation === null) return inForce ? 'ships with this release' : 'never activated';
  return `activated ${activation.activatedAt.toISOString()} (${activation.cause})`;
}

function refitDocument({ id, cutOff, incumbentId, weightsId, activated, evidence, reason }: Refit) {
  return {
    id,
    cut_off: cutOff.toISOString(),
    incumbent: incumbentId,
    weights: weightsId,
    activated,
    e_value: evidence?.eValue ?? null,
    events_counted: evidence?.events ?? null,
    reason,
  };
}

function refitLines(refits: readonly Refit[]): string[] {
  if (refits.length === 0) return ['  none yet'];
  return refits.map(
    ({ id, activated, reason }) => `  ${id}  ${activated ? 'activated' : 'not activated'}: ${reason}`,
  );
}
