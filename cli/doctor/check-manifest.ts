import type { Client } from '@temporalio/client';
import { applyNamespace } from '../../config/apply-namespace.js';
import { applyRetirement } from '../../config/apply-retirement.js';
import { applySchedules } from '../../config/apply-schedules.js';
import { applySearchAttributes } from '../../config/apply-search-attributes.js';
import type { ApplyStep } from '../../config/apply-step.js';
import type { TemporalManifest } from '../../config/temporal-manifest.js';
import { asTyped } from '../as-typed.js';
import { explainTemporalError } from '../explain-temporal-error.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** Holds the server against `temporal.yaml`, as `temporal apply --dry-run` does. */
export async function checkManifest(
  { connection, options: { namespace } }: Client,
  manifest: TemporalManifest,
  address: string,
): Promise<readonly Finding[]> {
  const target = { connection, namespace, manifest, dryRun: true };
  try {
    const there = await applyNamespace(target);
    if (there.did === 'created') {
      return [problem('temporal_manifest', `there is no namespace ${namespace}`, `Make it: ${apply}`)];
    }
    const steps = [
      there,
      ...(await applySearchAttributes(target)),
      ...(await applySchedules(target)),
      ...(await applyRetirement(target, { prune: false })),
    ];
    return judge(namespace, steps);
  } catch (error) {
    const explained = explainTemporalError(error, { address, namespace });
    if (explained === null) throw error;
    return [warning('temporal_manifest', explained.detail, explained.next)];
  }
}

const apply = asTyped('temporal apply');

function judge(namespace: string, steps: readonly ApplyStep[]): Finding[] {
  const which = (kind: ApplyStep['kind'], did: ApplyStep['did']) =>
    steps.filter(step => step.kind === kind && step.did === did).map(({ name }) => name);
  const missing = [...which('search_attribute', 'created'), ...which('schedule', 'created')];
  const otherType = which('search_attribute', 'left');
  const differ = [...which('namespace', 'updated'), ...which('schedule', 'updated')];
  const retired = which('schedule', 'left');
  const tell = (names: readonly string[], make: typeof problem, what: string, next: string) =>
    names.length === 0 ? [] : [make('temporal_manifest', `${what}: ${names.join(', ')}`, next)];
  const findings = [
    ...tell(
      missing,
      problem,
      `missing in namespace ${namespace}`,
      `Any worker makes them at its start, or ${apply}`,
    ),
    ...tell(
      otherType,
      problem,
      'search attributes of another type',
      `${apply} says which type each should have.`,
    ),
    ...tell(differ, warning, 'not as temporal.yaml describes', `${apply} --dry-run shows the difference.`),
    ...tell(retired, warning, 'schedules that temporal.yaml names no more', `${apply} --prune removes them.`),
  ];
  return findings.length > 0
    ? findings
    : [ok('temporal_manifest', `namespace ${namespace}, search attributes and schedules are as described`)];
}
