/** The result of a measurement. */
export interface Measured {
  /** JSON for `tools/bench/results.json`, with the unit in each name. */
  readonly figures: Readonly<Record<string, unknown>>;
  readonly table: Table;
  /** SVGs by file name without extension. */
  readonly plots?: Readonly<Record<string, string>>;
  readonly goals: readonly Goal[];
  /** Why it is half a result, which replaces no earlier one. */
  readonly incomplete?: string;
}

export interface Table {
  readonly head: readonly string[];
  /** `NaN` is what could not be measured. */
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Each goal is reported as met or missed. A miss does not fail the run, because other load can cause it. */
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

/** Formats a goal as one line. */
export function formatGoal(goal: Goal): string {
  const bound = goal.atMost === undefined ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`;
  if (Number.isNaN(goal.value)) return `goal not measured: ${goal.what} (${bound})`;
  return `${isMet(goal) ? 'goal met' : 'goal missed'}: ${goal.what}: ${goal.value} (${bound})`;
}

export function formatMarkdown({ head, rows }: Table): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(textOf).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function textOf(cell: string | number): string {
  return Number.isNaN(cell) ? '–' : String(cell);
}

/** The percentile by nearest rank, which is always a measured value. */
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
