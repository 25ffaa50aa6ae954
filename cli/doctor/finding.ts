import type { Paint } from '../terminal/output.js';

/** What one check saw: never a secret, and what to do next where anything is to be done. */
export interface Finding {
  readonly check: CheckName;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly detail: string;
  readonly next: string | null;
}

/** By which people and programs know a check, and in this order they are told. */
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
  models: 'Models',
} as const;

export type CheckName = keyof typeof checkNames;

export function ok(check: CheckName, detail: string): Finding {
  return { check, state: 'ok', detail, next: null };
}

export function warning(check: CheckName, detail: string, next: string): Finding {
  return { check, state: 'warning', detail, next };
}

export function problem(check: CheckName, detail: string, next: string): Finding {
  return { check, state: 'problem', detail, next };
}

/** A line a finding, and under it what to do. */
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
