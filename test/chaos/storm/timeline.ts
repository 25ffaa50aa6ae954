const lookEveryMs = 250;
/** A machine that has no time for the suite has none for a worker. */
const stoodStillMs = 1_500;

/** What happened, and when: for whoever has to find out why a run did not hold. */
export class Timeline {
  private readonly begunAt = Date.now();
  private readonly lines: string[] = [];
  private readonly counts = new Map<string, number>();
  private readonly spells: Spell[] = [];

  constructor() {
    let last = Date.now();
    setInterval(() => {
      const now = Date.now();
      if (now - last > stoodStillMs) {
        this.note(`the suite itself stood still for ${now - last} ms`, 'the suite itself stood still');
        this.spells.push({ from: last, to: now });
      }
      last = now;
    }, lookEveryMs).unref();
  }

  /** Notes something, and counts it under its kind where it has one. */
  note(line: string, kind?: string): void {
    const seconds = ((Date.now() - this.begunAt) / 1_000).toFixed(1).padStart(7);
    this.lines.push(`${seconds} s  ${line}`);
    if (kind !== undefined) this.count(kind);
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /**
   * Notes a spell in which a worker may have been slow between looking whether an answer is stored and asking for it: paused,
   * or with a bad line to what it looks at or asks. @returns what ends it
   */
  spell(): () => void {
    const spell: Spell = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.spells.push(spell);
    return () => {
      spell.to = Date.now();
    };
  }

  /** Whether such a spell touched the stretch of time. */
  wasSlow(from: number, to: number): boolean {
    return this.spells.some(spell => spell.from <= to && spell.to >= from);
  }

  get told(): readonly string[] {
    return this.lines;
  }

  /** How often each kind of thing happened, in the order of their names. */
  get tally(): readonly (readonly [kind: string, times: number])[] {
    return [...this.counts].sort(([one], [other]) => (one < other ? -1 : 1));
  }
}

interface Spell {
  readonly from: number;
  to: number;
}
