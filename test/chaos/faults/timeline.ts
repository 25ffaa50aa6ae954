const checkEveryMs = 250;
/** A machine too busy to run the suite is too busy to run a worker. */
const stalledMs = 1_500;

/** What happened and when, to explain a failed check. */
export class Timeline {
  private readonly begunAt = Date.now();
  private readonly lines: string[] = [];
  private readonly counts = new Map<string, number>();
  private readonly slowPeriods: Period[] = [];

  constructor() {
    let last = Date.now();
    setInterval(() => {
      const now = Date.now();
      if (now - last > stalledMs) {
        this.note(`the suite itself stalled for ${now - last} ms`, 'the suite itself stalled');
        this.slowPeriods.push({ from: last, to: now });
      }
      last = now;
    }, checkEveryMs).unref();
  }

  /** Adds an entry, and counts it under its kind. */
  note(line: string, kind?: string): void {
    const seconds = ((Date.now() - this.begunAt) / 1_000).toFixed(1).padStart(7);
    this.lines.push(`${seconds} s  ${line}`);
    if (kind !== undefined) this.count(kind);
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /**
   * Begins a period in which a worker may be slow between checking for a stored answer and calling the model:
   * it is paused, or its connection to the database or the models is disturbed. @returns a function that ends
   * the period
   */
  beginSlowPeriod(): () => void {
    const beginSlowPeriod: Period = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.slowPeriods.push(beginSlowPeriod);
    return () => {
      beginSlowPeriod.to = Date.now();
    };
  }

  /** Whether such a period overlaps this interval. */
  wasSlow(from: number, to: number): boolean {
    return this.slowPeriods.some(beginSlowPeriod => beginSlowPeriod.from <= to && beginSlowPeriod.to >= from);
  }

  get entries(): readonly string[] {
    return this.lines;
  }

  /** How often each kind of fault happened, sorted by name. */
  get tally(): readonly (readonly [kind: string, times: number])[] {
    return [...this.counts].sort(([one], [other]) => (one < other ? -1 : 1));
  }
}

interface Period {
  readonly from: number;
  to: number;
}
