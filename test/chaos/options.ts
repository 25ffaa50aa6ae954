import { parseArgs } from 'node:util';
import { type Plant, plants } from './storm/plants.js';

export interface ChaosOptions {
  readonly seed: number;
  /** How long it storms; calming down and checking come on top. */
  readonly minutes: number;
  /** A defect to be put into the service under test, to see that it is found. */
  readonly plant: Plant | null;
}

const minutesByDefault = 3;

/** @throws Error that says what can be asked for. */
export function readOptions(args: readonly string[], anySeed: number): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string' }, minutes: { type: 'string' }, plant: { type: 'string' } },
  });
  const seed = Number(values.seed ?? anySeed);
  const minutes = Number(values.minutes ?? minutesByDefault);
  const plant = values.plant ?? null;
  if (!Number.isSafeInteger(seed)) throw new Error('--seed takes a whole number');
  if (!(minutes > 0)) throw new Error('--minutes takes a number above 0');
  return { seed, minutes, plant: plant === null ? null : plantNamed(plant) };
}

function plantNamed(name: string): Plant {
  const plant = plants.find(each => each.name === name);
  if (plant !== undefined) return plant;
  throw new Error(`--plant takes one of ${plants.map(each => each.name).join(', ')}`);
}
