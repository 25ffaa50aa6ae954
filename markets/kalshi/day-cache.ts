/** Values that are kept in memory for a day. The oldest goes when there are too many. */
export class DayCache<Value> {
  readonly #now: () => Date;
  readonly #kept = new Map<string, { readonly value: Value; readonly untilMs: number }>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** @returns undefined if it is not kept, or is older than a day */
  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.untilMs > this.#now().getTime() ? kept.value : undefined;
  }

  set(key: string, value: Value): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, untilMs: this.#now().getTime() + dayMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest);
  }
}

const dayMs = 86_400_000;
const keptMax = 5_000;
