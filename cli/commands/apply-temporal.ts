import type { Command } from 'commander';
import { applyMaintenance, applyRetirement } from '../../platform/temporal/apply-manifest.js';
import {
  type ApplyStep,
  type ApplyTarget,
  applyNamespace,
  applySearchAttributes,
} from '../../platform/temporal/apply-namespace.js';
import type { CommandContext } from '../command-context.js';
import { examples } from '../terminal/command-line.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('apply')
    .description(
      'Configures the Temporal server at TEMPORAL_ADDRESS (or TEMPORAL_PROFILE, or the one running here) as temporal.yaml describes: namespace, retention, search attributes and maintenance workflows. Safe to repeat. Exits with 1 if something needs to be fixed by hand.',
    )
    .summary('configure the server as temporal.yaml describes')
    .option('--dry-run', 'only show the changes')
    .option('--prune', 'terminate maintenance workflows that are no longer in temporal.yaml')
    .addHelpText('after', examples('temporal apply --dry-run', 'temporal apply --prune'))
    .action(async ({ dryRun = false, prune = false }: { dryRun?: boolean; prune?: boolean }) => {
      await context.temporal(({ client: { connection }, address, ...target }) =>
        applyTemporal({ connection, ...target, dryRun }, context.output, { address, prune }),
      );
    });
}

interface ApplyOptions {
  /** As messages show it. */
  readonly address: string;
  readonly prune: boolean;
}

/**
 * Configures the Temporal server as `temporal.yaml` describes; with `dryRun`, only shows the changes.
 * @returns false when something needs to be fixed by hand
 */
async function applyTemporal(
  target: ApplyTarget,
  output: Output,
  { address, prune }: ApplyOptions,
): Promise<boolean> {
  const dryRun = target.dryRun === true;
  const steps: ApplyStep[] = [];
  output.status(`Comparing ${target.namespace} at ${address} with temporal.yaml`);
  const namespace = await applyNamespace(target);
  steps.push(namespace);
  if (dryRun && namespace.did === 'created') {
    steps.push(...allCreated(target));
  } else {
    steps.push(...(await applySearchAttributes(target)));
    steps.push(...(await applyMaintenance(target)));
    steps.push(...(await applyRetirement(target, { prune })));
  }
  const unchanged = steps.every(({ did }) => did === 'unchanged' || did === 'left');
  output.result(
    { address, namespace: target.namespace, dry_run: dryRun, unchanged, steps },
    [
      `Temporal at ${address}, namespace ${target.namespace}${dryRun ? ' (dry run: nothing is changed)' : ''}`,
      ...steps.filter(({ did }) => did !== 'unchanged').flatMap(describe),
      `${unchanged ? 'Unchanged' : dryRun ? 'Would be' : 'Done'}: ${tally(steps)}.`,
    ].join('\n'),
  );
  advise(output, steps);
  if (dryRun && !unchanged) output.next('Run it without --dry-run to apply the changes.');
  return !steps.some(needsManualFix);
}

/** The steps for a namespace that does not exist yet. */
function allCreated({ manifest }: ApplyTarget): ApplyStep[] {
  const created = { did: 'created', differences: [] } as const;
  return [
    ...Object.keys(manifest.search_attributes).map(
      name => ({ kind: 'search_attribute', name, ...created }) as const,
    ),
    ...Object.keys(manifest.maintenance_every_seconds).map(
      name => ({ kind: 'maintenance', name, ...created }) as const,
    ),
  ];
}

function describe({ kind, name, did, differences }: ApplyStep): string[] {
  return [
    `  ${did.padEnd(9)}  ${kind.replace('_', ' ').padEnd(16)}  ${name}`,
    ...differences.map(difference => `${' '.repeat(13)}${difference}`),
  ];
}

function tally(steps: readonly ApplyStep[]): string {
  const counts = new Map<string, number>();
  for (const { did } of steps) counts.set(did, (counts.get(did) ?? 0) + 1);
  return [...counts].map(([did, count]) => `${count} ${did}`).join(', ');
}

/** A search attribute of another type: no command can change a type. */
function needsManualFix({ kind, did }: ApplyStep): boolean {
  return kind === 'search_attribute' && did === 'left';
}

function advise(output: Output, steps: readonly ApplyStep[]): void {
  const manual = steps.filter(needsManualFix);
  const retired = steps.filter(({ kind, did }) => kind === 'maintenance' && did === 'left');
  if (manual.length > 0) {
    const names = manual.map(({ name }) => name).join(', ');
    output.next(
      `${names}: a type cannot be changed. Remove it with \`temporal operator search-attribute remove\` and apply again, or use another namespace.`,
    );
  }
  if (retired.length > 0) {
    const names = retired.map(({ name }) => name).join(', ');
    output.next(`Still active, but no longer in temporal.yaml: ${names}. --prune removes them.`);
  }
}
