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

const minutesByDefault = 3;

/** @throws Error that names the valid options. */
export function readOptions(args: readonly string[], anySeed: number): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string' },
      plant: { type: 'string' },
      drills: { type: 'string' },
    },
  });
  const seed = Number(values.seed ?? anySeed);
  const minutes = Number(values.minutes ?? minutesByDefault);
  const defect = values.plant ?? null;
  if (!Number.isSafeInteger(seed)) throw new Error('--seed takes a whole number');
  if (!(minutes >= 0)) throw new Error('--minutes takes a number; 0 for drills alone');
  return {
    seed,
    minutes,
    defect: defect === null ? null : defectNamed(defect),
    drills: drillsNamed(values.drills ?? 'all'),
  };
}

function drillsNamed(list: string): readonly Drill[] {
  if (list === 'all') return drills;
  if (list === 'none') return [];
  return list.split(',').map(name => {
    const drill = drills.find(each => each.name === name);
    if (drill !== undefined) return drill;
    throw new Error(`--drills takes all, none, or some of ${drills.map(each => each.name).join(',')}`);
  });
}

function defectNamed(name: string): Defect {
  const defect = defects.find(each => each.name === name);
  if (defect !== undefined) return defect;
  throw new Error(`--plant takes one of ${defects.map(each => each.name).join(', ')}`);
}
