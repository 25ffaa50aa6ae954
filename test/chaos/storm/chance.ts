import { seededRandom } from '../../../council/random.js';

/** Chance that follows from a seed alone. */
export class Chance {
  private readonly draw: () => number;

  constructor(seed: string) {
    this.draw = seededRandom(seed);
  }

  /** In [0, 1). */
  share(): number {
    return this.draw();
  }

  whether(probability: number): boolean {
    return this.draw() < probability;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.draw() * (most - least + 1));
  }

  /** @throws Error where there is nothing to pick from. */
  pick<Item>(items: readonly Item[]): Item {
    const picked = items[Math.floor(this.draw() * items.length)];
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  }

  /** One of the names, each as often as it weighs. */
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
