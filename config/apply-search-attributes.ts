import type { ApplyStep, ApplyTarget } from './apply-step.js';

/** `temporal.api.enums.v1.IndexedValueType`. */
const indexedValueType = { Keyword: 2, Int: 3, Bool: 5 } as const;

/**
 * Adds the search attributes that runs are started with. One that is there with another type is left: no server changes
 * a type.
 */
export async function applySearchAttributes(target: ApplyTarget): Promise<readonly ApplyStep[]> {
  const { connection, namespace, manifest, dryRun } = target;
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const steps = Object.entries(manifest.search_attributes).map(([name, type]) =>
    stepFor(name, type, customAttributes[name]),
  );
  const missing = steps.filter(({ did }) => did === 'created').map(({ name }) => name);
  if (missing.length > 0 && dryRun !== true) await add(target, missing);
  return steps;
}

type AttributeType = keyof typeof indexedValueType;

function stepFor(name: string, type: AttributeType, there: number | undefined): ApplyStep {
  const found = { kind: 'search_attribute', name } as const;
  if (there === undefined) return { ...found, did: 'created', differences: [] };
  if (there === indexedValueType[type]) return { ...found, did: 'unchanged', differences: [] };
  return { ...found, did: 'left', differences: [`type: ${nameOf(there)} → ${type}`] };
}

function nameOf(value: number): string {
  return Object.entries(indexedValueType).find(([, known]) => known === value)?.[0] ?? `number ${value}`;
}

async function add({ connection, namespace, manifest }: ApplyTarget, names: readonly string[]) {
  const wanted = Object.entries(manifest.search_attributes).filter(([name]) => names.includes(name));
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(wanted.map(([name, type]) => [name, indexedValueType[type]])),
  });
}
