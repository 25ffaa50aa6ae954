import { applyMaintenance, applyRetirement } from '../../config/temporal/apply-manifest.js';
import {
  type ApplyStep,
  type ApplyTarget,
  applyNamespace,
  applySearchAttributes,
} from '../../config/temporal/apply-namespace.js';
import type { Output } from '../terminal/output.js';

export interface ApplyOptions {
  /** How the server is called in what is told. */
  readonly address: string;
  readonly prune: boolean;
}

/**
 * Makes the Temporal server what `temporal.yaml` describes, or with `dryRun` says what that would change.
 * @returns false when something is there that only a person can mend
 */
export async function applyTemporal(
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
      `Temporal at ${address}, namespace ${target.namespace}${dryRun ? ' (dry run: nothing is done)' : ''}`,
      ...steps.filter(({ did }) => did !== 'unchanged').flatMap(describe),
      `${unchanged ? 'Unchanged' : dryRun ? 'Would be' : 'Done'}: ${tally(steps)}.`,
    ].join('\n'),
  );
  advise(output, steps);
  if (dryRun && !unchanged) output.next('The same without --dry-run does it.');
  return !steps.some(isStuck);
}

/** What a namespace that is not there would get. */
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

/** An attribute with another type: neither this command nor any other changes a type. */
function isStuck({ kind, did }: ApplyStep): boolean {
  return kind === 'search_attribute' && did === 'left';
}

function advise(output: Output, steps: readonly ApplyStep[]): void {
  const stuck = steps.filter(isStuck);
  const retired = steps.filter(({ kind, did }) => kind === 'maintenance' && did === 'left');
  if (stuck.length > 0) {
    const names = stuck.map(({ name }) => name).join(', ');
    output.next(
      `${names}: a type cannot be changed. Remove it with \`temporal operator search-attribute remove\` and apply again, or use another namespace.`,
    );
  }
  if (retired.length > 0) {
    const names = retired.map(({ name }) => name).join(', ');
    output.next(
      `Maintenance that temporal.yaml no longer names, but that is still running: ${names}. --prune removes it.`,
    );
  }
}
