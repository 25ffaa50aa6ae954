/** What a measurement has found. */
export interface Measured {
  /** In JSON, with the unit in each name. */
  readonly figures: Readonly<Record<string, unknown>>;
  readonly table: Table;
  /** By the name of the file, without its ending. */
  readonly plots?: Readonly<Record<string, string>>;
  readonly goals: readonly Goal[];
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** A missed goal is told, and fails nothing: what a machine is busy with besides is not the service's fault. */
export interface Goal {
  readonly what: string;
  readonly value: number;
  readonly atMost?: number;
  readonly atLeast?: number;
}

export type Measurement = (env: NodeJS.ProcessEnv) => Promise<Measured>;

export function isMet({ value, atMost = Infinity, atLeast = -Infinity }: Goal): boolean {
  return value <= atMost && value >= atLeast;
}

/** One line a person reads. */
export function formatGoal(goal: Goal): string {
  const bound = goal.atMost === undefined ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`;
  return `${isMet(goal) ? 'goal met' : 'goal missed'}: ${goal.what}: ${goal.value} (${bound})`;
}

export function formatMarkdown({ head, rows }: Table): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The value below which the share lies; the nearest rank, so that it is always one that was measured. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function rounded(value: number, digits = 2): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
