import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeInBrowser } from '../support/browser/describe-in-browser.js';
import { usePageService } from '../support/browser/use-page-service.js';
import { createSampleEventCopies } from '../support/record/sample-event-copies.js';
import { longDeadlines } from '../support/service/test-service.js';
import { processTestMs } from '../support/until.js';

const run = promisify(execFile);
const root = process.cwd();
const copies = createSampleEventCopies();
const service = await usePageService({ markets: copies, stageDeadlinesMs: longDeadlines });
/** Has nothing but what the tarball brings, outside the project. */
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'council-client-'));
  await run('npm', ['pack', '--workspace', 'client', '--pack-destination', folder], { cwd: root });
  const [tarball = ''] = await readdir(folder);
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder });
}, processTestMs);
afterAll(() => rm(folder, { recursive: true, force: true }));

const installed = (path: string) => join(folder, 'node_modules/council-report-client', path);

const script = `
import { CouncilReports } from 'council-report-client';
const { COUNCIL_API_KEY: apiKey, COUNCIL_BASE_URL: baseUrl, EVENT_ID: eventId } = process.env;
const council = new CouncilReports({ apiKey, baseUrl });
const report = await council.reports.runAndWait({ eventId, maxCredits: 500 });
console.log(JSON.stringify({ status: report.status, outcome: report.council_config.runtime.most_likely_outcome }));
`;

describe('the package', () => {
  test('has the code, its types and its documents, and nothing else', async () => {
    const sources = (await readdir(join(root, 'client'))).filter(name => name.endsWith('.ts'));
    const built = sources.flatMap(name => [name.replace(/\.ts$/, '.js'), name.replace(/\.ts$/, '.d.ts')]);
    expect((await readdir(installed('dist'))).toSorted()).toEqual(built.toSorted());
    expect((await readdir(installed(''))).toSorted()).toEqual([
      'CHANGELOG.md',
      'README.md',
      'dist',
      'package.json',
    ]);
    const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(await readdir(join(folder, 'node_modules'))).toEqual([
      '.package-lock.json',
      'council-report-client',
    ]);
  });

  test('buys a report from a script that has only the tarball', async () => {
    const { key } = await service.newCaller(1_000);
    await writeFile(join(folder, 'buy.mjs'), script);
    const env = { COUNCIL_API_KEY: key, COUNCIL_BASE_URL: service.url, EVENT_ID: newEvent() };
    const { stdout } = await run(process.execPath, ['buy.mjs'], { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual({ status: 'completed', outcome: expect.any(String) });
  });

  test('has types that a strict compiler accepts without those of Node.js', async () => {
    const typed = script.replace(
      /const \{ COUNCIL.*/,
      'declare const apiKey: string, baseUrl: string, eventId: string; declare const console: { log(text: string): void };',
    );
    await writeFile(join(folder, 'buy.ts'), typed);
    const options = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--types',
      '',
      '--lib',
      'es2023,dom,dom.iterable',
    ];
    const modules = ['--target', 'es2023', '--module', 'nodenext', '--moduleDetection', 'force'];
    const compiler = join(root, 'node_modules/.bin/tsc');
    const { stdout } = await run(compiler, [...options, ...modules, 'buy.ts'], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});

describeInBrowser('the package in a page of the service', browser => {
  test('buys a report and follows it by its event stream', async () => {
    const { key } = await service.newCaller(1_000);
    const { page, troubles } = await browser.visit(service.url);
    const asked: string[] = [];
    page.on('request', request => asked.push(new URL(request.url()).pathname));
    // The files of the tarball, as a page of this origin would serve them.
    await page.route('**/installed/*.js', route => {
      const path = installed(`dist/${new URL(route.request().url()).pathname.split('/').at(-1)}`);
      return existsSync(path) ? route.fulfill({ path, contentType: 'text/javascript' }) : route.abort();
    });
    const options = { apiKey: key, baseUrl: service.url, eventId: newEvent() };
    const seen = await page.evaluate(async ({ apiKey, baseUrl, eventId }) => {
      const address = '/installed/index.js';
      const { CouncilReports } = await import(address);
      const stages = new Set<string>();
      const report = await new CouncilReports({ apiKey, baseUrl }).reports.runAndWait({
        eventId,
        maxCredits: 500,
        onProgress: ({ stage }: { stage: string }) => stages.add(stage),
      });
      return { status: report.status, id: report.id, stages: [...stages] };
    }, options);
    expect(seen).toMatchObject({
      status: 'completed',
      stages: ['opinions', 'cross_review', 'synthesis', 'conclusion'],
    });
    expect(asked).toContain(`/api/reports/${seen.id}/events`);
    expect(troubles).toEqual([]);
  });
});

function newEvent(): string {
  return copies.retell('sample-fed-cut-2031');
}
