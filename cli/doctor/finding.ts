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
