const checkEveryMs = 250;
/** A machine too busy to run the suite is too busy to run a worker. */
const stalledMs = 1_500;

/**
 * What keeps a worker from finishing a call in the normal time. `worker killed` and `worker stopped` also name
 * why its calls are repeated, as do `Temporal away` (the worker is presumed dead) and `models away` (the answer
 * was lost on its way).
 */
export const hindrances = [
  'worker killed',
  'worker stopped',
  'Temporal away',
  'models away',
  'machine stalled',
  'database away',
] as const;
export type Hindrance = (typeof hindrances)[number];

/** What happened and when, to explain a failed check. */
export class Timeline {
  private readonly begunAt = Date.now();
  private readonly lines: string[] = [];
  private readonly counts = new Map<string, number>();
  private readonly periods: Period[] = [];
  private readonly onNote: (line: string) => void;

  /** @param onNote receives each entry at once */
  constructor(onNote: (line: string) => void = () => undefined) {
    this.onNote = onNote;
    let last = Date.now();
    setInterval(() => {
      const now = Date.now();
      if (now - last > stalledMs) {
        this.note(`the suite itself stalled for ${now - last} ms`, 'the suite itself stalled');
        this.periods.push({ what: 'machine stalled', from: last, to: now });
      }
      last = now;
    }, checkEveryMs).unref();
  }

  /** Adds an entry, and counts it under its kind. */
  note(line: string, kind?: string): void {
    const seconds = ((Date.now() - this.begunAt) / 1_000).toFixed(1).padStart(7);
    this.lines.push(`${seconds} s  ${line}`);
    this.onNote(line);
    if (kind !== undefined) this.count(kind);
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /** @returns a function that ends the period, at once or after a time in which its effects last */
  begin(what: Hindrance): (lastsMs?: number) => void {
    const period: Period = { what, from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.periods.push(period);
    return (lastsMs = 0) => {
      period.to = Date.now() + lastsMs;
    };
  }

  /** What hindered workers at any time in this interval, in the order of {@link hindrances}. */
  hindrancesIn(from: number, to: number): readonly Hindrance[] {
    const found = new Set(
      this.periods.filter(period => period.from <= to && period.to >= from).map(({ what }) => what),
    );
    return hindrances.filter(each => found.has(each));
  }

  /** For how much of this interval the suite itself did not run. */
  stalledMs(from: number, to: number): number {
    return this.periods
      .filter(({ what }) => what === 'machine stalled')
      .reduce((sum, period) => sum + Math.max(0, Math.min(period.to, to) - Math.max(period.from, from)), 0);
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
  readonly what: Hindrance;
  readonly from: number;
  to: number;
}
