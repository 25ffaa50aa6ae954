import { Failure } from '../terminal/failure.js';
import type { Paint } from '../terminal/output.js';

/** What a check found. It never contains a secret. */
export interface Finding {
  readonly check: CheckName;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  /** What to do about it; null when nothing is to be done. */
  readonly next: string | null;
}

/** A finding as checks return it: the runner adds the name of the check. */
export type Result = Omit<Finding, 'check'> & { readonly check?: CheckName };

/** The checks by their name in JSON, with the name shown to people, in the order of the output. */
export const checkNames = {
  settings: 'Settings',
  node: 'Node.js',
  home: 'COUNCIL_HOME',
  service: 'Service',
  api_key: 'API key',
  port: 'PORT',
  ui_port: 'TEMPORAL_UI_PORT',
  encryption_keys: 'Encryption keys',
  database: 'Database',
  temporal: 'Temporal',
  temporal_manifest: 'temporal.yaml',
  worker: 'Worker',
  clock: 'Clock',
  payments: 'Payments',
  timestamps: 'Time stamps',
  venues: 'Venues',
  models: 'Models',
} as const;

export type CheckName = keyof typeof checkNames;

export const ok = (detail: string): Result => ({ state: 'ok', detail, next: null });
export const warning = (detail: string, next: string): Result => ({ state: 'warning', detail, next });
export const problem = (detail: string, next: string): Result => ({ state: 'problem', detail, next });

/** A row of a check: what was seen, and what is said if it is true. */
export type Row = readonly [seen: boolean, say: Result];

/** What the rows say that are true. */
export function sayings(rows: readonly Row[]): Result[] {
  return rows.flatMap(([seen, say]) => (seen ? [say] : []));
}

/** What the first row says that is true, or else `otherwise`. */
export function firstOf(rows: readonly Row[], otherwise: Result): Result {
  return sayings(rows)[0] ?? otherwise;
}

/** A server that does not answer. @param embeddedLog its log, if the service runs it itself */
export function unreachable(error: unknown, embeddedLog: string | null): Result {
  if (!(error instanceof Failure)) throw error;
  const look = `Look at logs/${embeddedLog} in COUNCIL_HOME, and start again (\`npm start\`).`;
  return problem(error.message, embeddedLog === null ? error.next : look);
}

/** One line per finding, and below it what to do. */
export function renderFindings(findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...Object.values(checkNames).map(name => name.length));
  const brush = { ok: paint.good, warning: paint.warning, problem: paint.bad };
  return findings
    .flatMap(({ check, state, detail, next }) => [
      `${checkNames[check].padEnd(width)}  ${brush[state](state.padEnd(stateWidth))}  ${detail}`,
      ...(next === null ? [] : [`${' '.repeat(width + stateWidth + 4)}→ ${next}`]),
    ])
    .join('\n');
}

const stateWidth = 'problem'.length;
