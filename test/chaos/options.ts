import { parseArgs } from 'node:util';
import type { Drill } from './drills/drill.js';
import { drills } from './drills/drills.js';
import { type Defect, defects } from './faults/defects.js';

export interface ChaosOptions {
  readonly seed: number;
  /** How long faults are injected. Recovery and checks come on top. */
  readonly minutes: number;
  /** A defect to insert into the service, to show that the suite finds it. */
  readonly defect: Defect | null;
  /** Run one after another when the random faults are over. */
  readonly drills: readonly Drill[];
}

/** @throws Error that names the valid options. */
export function readOptions(args: readonly string[], anySeed: number): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: String(anySeed) },
      minutes: { type: 'string', default: '3' },
      plant: { type: 'string' },
      drills: { type: 'string', default: 'all' },
    },
  });
  const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
  if (!Number.isSafeInteger(seed)) throw new Error('--seed takes a whole number');
  if (!(minutes >= 0)) throw new Error('--minutes takes a number; 0 for drills alone');
  const defect = values.plant === undefined ? null : named(defects, values.plant, '--plant takes one');
  return { seed, minutes, defect, drills: drillsNamed(values.drills) };
}

function drillsNamed(list: string): readonly Drill[] {
  if (list === 'all') return drills;
  if (list === 'none') return [];
  return list.split(',').map(name => named(drills, name, '--drills takes all, none, or some'));
}

function named<Item extends { readonly name: string }>(
  items: readonly Item[],
  name: string,
  takes: string,
): Item {
  const item = items.find(each => each.name === name);
  if (item !== undefined) return item;
  throw new Error(`${takes} of ${items.map(each => each.name).join(', ')}`);
}
