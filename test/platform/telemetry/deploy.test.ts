import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { callerDocuments } from '../../../api/documents/caller-documents.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { readSettings } from '../../../platform/settings/settings.js';
import { readTemporalManifest } from '../../../platform/temporal/manifest.js';
import { alertRules } from '../../support/machine/named-metrics.js';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Record<string, string>;
  readonly stop_grace_period?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Record<string, { condition: string }>;
  readonly deploy?: { replicas: number };
  readonly networks?: Record<string, { ipv4_address?: string }>;
}

const compose: { services: Record<string, Service> } = parse(readFileSync('deploy/compose.yaml', 'utf8'), {
  merge: true,
});
const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
const manifest = readTemporalManifest(projectFiles.temporalManifest);
const { api, worker, migrate, simulator, temporal, ...others } = compose.services;

/** Resolves a variable of the compose file, with all required ones set. */
const filledIn = (value: string) =>
  value.replaceAll(/\$\{(\w+):(\?|-)[^}]*\}/g, (_all, name, kind) => {
    if (kind === '-') return '';
    return name === 'PUBLIC_URL' ? 'https://council.example' : 'given';
  });

describe('the compose file', () => {
  test('runs two APIs and three workers, after the migrations', () => {
    expect([api?.deploy?.replicas, worker?.deploy?.replicas]).toEqual([2, 3]);
    for (const each of [api, worker]) {
      expect(each?.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
    }
  });

  test('runs modules that the build creates', () => {
    for (const each of [api, worker, migrate, simulator]) {
      const [node, module = ''] = each?.command ?? [];
      expect(node).toBe('node');
      expect(existsSync(module.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).toBe(true);
    }
  });

  test('sets only variables that the processes know', () => {
    for (const each of [api, worker, migrate]) {
      const environment = Object.entries(each?.environment ?? {}).map(([name, value]) => [
        name,
        filledIn(value),
      ]);
      const settings = {
        ...Object.fromEntries(environment),
        ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      };
      expect(() => readSettings(settings)).not.toThrow();
      const role = each === migrate ? 'council' : 'council_service';
      expect(readSettings(settings).DATABASE_URL).toBe(`postgres://${role}:given@postgres:5432/council`);
    }
  });

  test('lets the API trust the proxy alone, and gives the proxy all variables of its configuration', () => {
    const { proxy } = compose.services;
    expect(api?.environment?.['TRUSTED_PROXIES']).toBe(proxy?.networks?.['front']?.ipv4_address);
    const template = readFileSync('deploy/nginx/council.conf.template', 'utf8');
    const variables = [...template.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    expect(new Set(variables)).toEqual(new Set(Object.keys(proxy?.environment ?? {})));
  });

  test('gives Temporal a role and a password of its own, and nobody the superuser', () => {
    expect(temporal?.environment).toMatchObject({
      POSTGRES_USER: 'temporal',
      POSTGRES_PWD: expect.stringContaining('TEMPORAL_PASSWORD'),
      SKIP_DB_CREATE: 'true',
    });
    const { postgres, ...clients } = compose.services;
    expect(postgres?.environment).toHaveProperty('POSTGRES_PASSWORD');
    expect(JSON.stringify(clients)).not.toContain('POSTGRES_PASSWORD');
  });

  test('has a longer grace period than the worker needs to shut down', () => {
    const seconds = Number(/^(\d+)s$/.exec(worker?.stop_grace_period ?? '')?.[1]);
    expect(seconds * 1_000).toBeGreaterThan(manifest.worker.shutdown_grace_ms + 10_000);
  });

  test('has the retention period of temporal.yaml', () => {
    expect(temporal?.environment?.['DEFAULT_NAMESPACE_RETENTION']).toBe(`${manifest.retention_days * 24}h`);
  });

  test('gives Temporal the dynamic configuration of temporal.yaml, all of it', () => {
    const path = '/etc/temporal/council/dynamic-config.yaml';
    expect(temporal?.environment?.['DYNAMIC_CONFIG_FILE_PATH']).toBe(path);
    expect(temporal?.volumes).toEqual(['./temporal:/etc/temporal/council:ro']);
    const written = readFileSync('deploy/temporal/dynamic-config.yaml', 'utf8');
    const { flags } = manifest.embedded_server;
    const passed = flags.filter((_flag, index) => flags[index - 1] === '--dynamic-config-value');
    // `npm run temporal-config` writes the file.
    const values = Object.entries<[{ value: unknown }]>(parse(written));
    expect(values.map(([key, [{ value }]]) => `${key}=${JSON.stringify(value)}`)).toEqual(passed);
    expect(passed).toContain('matching.numTaskqueueReadPartitions=1');
  });

  test('publishes ports on this machine only, except those of the proxy', () => {
    const { proxy, ...inside } = compose.services;
    expect(proxy?.ports).toEqual(['80:80', '443:443']);
    const published = Object.values(inside).flatMap(({ ports = [] }) => ports);
    expect(published.length).toBeGreaterThan(3);
    expect(published.filter(port => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('mounts existing files and pins image versions', () => {
    const mounted = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter(volume => volume.startsWith('.'))
      .map(volume => volume.split(':')[0] ?? '');
    expect(mounted.length).toBeGreaterThan(3);
    expect(mounted.filter(path => !existsSync(join('deploy', path)))).toEqual([]);
    for (const service of [...Object.values(others), temporal]) expect(service?.image).toMatch(/:v?\d/);
  });

  test('requires only variables of .env.example', () => {
    const asked = readFileSync('deploy/compose.yaml', 'utf8').matchAll(/\$\{(\w+)/g);
    const named = readFileSync('deploy/.env.example', 'utf8');
    for (const [, name] of asked) expect(named).toMatch(new RegExp(`^${name}=`, 'm'));
  });
});

describe('Prometheus', () => {
  test('scrapes the jobs that the alerts use', () => {
    const { scrape_configs }: { scrape_configs: { job_name: string }[] } = parse(
      readFileSync('deploy/prometheus/prometheus.yaml', 'utf8'),
    );
    const jobs = scrape_configs.map(({ job_name }) => job_name);
    const asked = alertRules().flatMap(({ expr }) =>
      [...expr.matchAll(/job=~?"([^"]+)"/g)].flatMap(([, job = '']) => job.split('|')),
    );
    expect(asked.length).toBeGreaterThan(2);
    for (const job of asked) expect(jobs).toContain(job);
  });

  test('reads the API at the port of its metrics, which is not published', () => {
    const METRICS_PORT = api?.environment?.['METRICS_PORT'];
    expect(METRICS_PORT).toMatch(/^\d+$/);
    const text = readFileSync('deploy/prometheus/prometheus.yaml', 'utf8');
    expect(text).toContain(`{ names: [api], type: A, port: ${METRICS_PORT},`);
    expect(JSON.stringify(api?.ports)).not.toContain(METRICS_PORT);
  });

  test('has alerts for the task queues of temporal.yaml', () => {
    const queues = alertRules().flatMap(({ expr }) => [...expr.matchAll(/task_queue=(~?)"([^"]+)"/g)]);
    for (const [, isShape, queue = ''] of queues) {
      expect(isShape === '~' ? `${manifest.model_calls.queue_prefix}-.+` : manifest.task_queue).toBe(queue);
    }
    expect(queues.length).toBeGreaterThan(2);
  });

  test('the LedgerNotAudited alert fires after two missed audits', () => {
    const interval = manifest.maintenance_every_seconds['check-ledger'] ?? 0;
    const { expr = '' } = alertRules().find(({ alert }) => alert === 'LedgerNotAudited') ?? {};
    expect(Number(/> (\d+)\)/.exec(expr)?.[1])).toBe(interval * 2);
  });
});

describe('the image', () => {
  const stages = dockerfile.split(/^(?=FROM )/m).slice(1);
  const last = stages.at(-1) ?? '';

  test('is based on glibc, runs unprivileged and has a health check', () => {
    expect(dockerfile).toMatch(/^FROM node:[\d.]+-bookworm-slim@sha256:[0-9a-f]{64} AS base$/m);
    expect(dockerfile).not.toMatch(/^FROM .*alpine/m);
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last).toMatch(/^CMD \["node", "dist\/api\/main\.js"\]$/m);
  });

  test('contains every file that the service reads at run time', () => {
    const copied = [...last.matchAll(/^COPY (?:--from=\w+ )?(.+) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' '),
    );
    const files = Object.values(projectFiles).filter(path => path !== projectFiles.root);
    const paths = files.map(path => path.slice(projectFiles.root.length + 1));
    for (const path of [...paths, ...callerDocuments.map(({ file }) => file)]) {
      const isIn = (source: string) =>
        `/app/${path}`.startsWith(`${source}/`) || `${path}/`.startsWith(`${source}/`);
      expect([path, copied.some(isIn)]).toEqual([path, true]);
      expect([path, isIgnored(path)]).toEqual([path, false]);
    }
    expect(isIgnored('docs/operations.md')).toBe(true);
  });

  test('leaves out of its modules nothing that the processes import', () => {
    const removed = /rm -rf (.+) \\$/m.exec(dockerfile)?.[1]?.split(' ') ?? [];
    expect(removed).toContain('embedded-postgres');
    const platform = ['settings', 'keys', 'temporal', 'telemetry', 'mail'].map(name => `platform/${name}`);
    const used = ['api', 'activities', 'db', 'providers', 'markets', 'payments', 'workflows', ...platform];
    for (const name of removed) expect(importers(used, name)).toEqual([]);
  });
});

/** Whether the build leaves out a source file; what is built is below `dist`. The last line that fits decides. */
function isIgnored(path: string): boolean {
  if (path.startsWith('dist/')) return false;
  const lines = readFileSync('deploy/Dockerfile.dockerignore', 'utf8').trim().split('\n');
  return lines.reduce((ignored, line) => {
    const [, not, pattern = ''] = /^(!?)(.*?)(?:\/\*)?$/.exec(line) ?? [];
    return `${path}/`.startsWith(`${pattern}/`) ? not === '' : ignored;
  }, false);
}

/** Compiled modules of these folders that import a package. */
function importers(folders: readonly string[], name: string): string[] {
  return folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.ts'))
      .filter(path =>
        new RegExp(`from '${name.replace('*', '')}['/]`).test(readFileSync(join(folder, path), 'utf8')),
      )
      .map(path => `${folder}/${path}`),
  );
}
