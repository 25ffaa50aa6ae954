import { seededRandom } from '../../../council/random.js';

/** Random values that depend on a seed only. */
export class RandomSource {
  private readonly draw: () => number;

  constructor(seed: string) {
    this.draw = seededRandom(seed);
  }

  /** A number in [0, 1). */
  share(): number {
    return this.draw();
  }

  whether(probability: number): boolean {
    return this.draw() < probability;
  }

  /** An integer between two bounds, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.draw() * (most - least + 1));
  }

  /** @throws Error when the list is empty. */
  pick<Item>(items: readonly Item[]): Item {
    const picked = items[Math.floor(this.draw() * items.length)];
    if (picked === undefined) throw new Error('cannot pick from an empty list');
    return picked;
  }

  /** One of the names, with a probability proportional to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[];
    let left = this.draw() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return this.pick(names);
  }
}
