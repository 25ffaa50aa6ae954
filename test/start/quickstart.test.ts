import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testPort } from '../support/test-port.js';
import { processTestMs } from '../support/until.js';
import { LaunchedService } from './launched-service.js';

/** docs/quickstart.md, line by line against the service of a first start. */

const run = promisify(execFile);

/** Commands of the page, and the output that it promises after them. */
interface Step {
  readonly commands: readonly string[];
  readonly promised: string;
}

const page = readFileSync('docs/quickstart.md', 'utf8');
const [start, ...steps] = stepsOf(page.slice(0, page.indexOf('## With a service')));
const elsewhere = stepsOf(page.slice(page.indexOf('## With a service')));

function stepsOf(text: string): Step[] {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)];
  return blocks.map(([, commands = '', promised = '']) => ({
    commands: commands.trimEnd().split('\n'),
    promised,
  }));
}

/** A line that is `…` alone stands for any lines, another `…` for anything in its line, and every number for any number. */
function asPattern(promised: string): RegExp {
  const lines = promised.trimEnd().split('\n');
  const escaped = lines.map(line =>
    line === '…'
      ? '(?:.*\\n)*?.*'
      : withoutNumbers(line)
          .replaceAll(/[.*+?^$()|[\]{}\\]/g, '\\$&')
          .replaceAll(/ ?…/g, '.*'),
  );
  return new RegExp(`^${escaped.join('\\n')}$`, 'm');
}

const withoutNumbers = (text: string) => text.replaceAll(/\d+(?:\.\d+)?/g, '0');

function expectPromised(output: string, promised: string): void {
  expect(withoutNumbers(output.replaceAll(service.key, 'pc_live_…'))).toMatch(asPattern(promised));
}

let service: LaunchedService;
let url: string;

beforeAll(async () => {
  service = await LaunchedService.inNewHome();
  url = await service.start({ PORT: String(await testPort()), COUNCIL_PROVIDERS: 'simulated' });
}, processTestMs);

afterAll(() => service.remove(), processTestMs);

/** Runs all lines in one shell, which ends at the first that fails. @returns what each line has printed */
async function outputsOf(lines: readonly string[]): Promise<readonly string[]> {
  const mark = '--- next line ---';
  const script = lines.map(line => `${line}\necho '${mark}'\n`).join('');
  const { stdout } = await run('bash', ['-e', '-o', 'pipefail', '-c', script], {
    env: { PATH: process.env['PATH'], COUNCIL_HOME: service.home, COUNCIL_BASE_URL: url },
  });
  return stdout.split(`${mark}\n`).slice(0, -1);
}

async function expectSteps(all: readonly Step[]): Promise<void> {
  const lines = all.flatMap(({ commands }) => commands);
  const outputs = [...(await outputsOf(lines.map(onThisService)))];
  expect(outputs).toHaveLength(lines.length);
  for (const { commands, promised } of all)
    expectPromised(outputs.splice(0, commands.length).join(''), promised);
}

/** What a reader puts in as well: the key, and the address of the service. */
function onThisService(line: string): string {
  return line.replace('http://127.0.0.1:3000', url).replace('pc_live_…', service.key);
}

// Skipped by name, so that a machine without the tool shows what it did not run.
const describeWithJq = spawnSync('jq', ['--version']).status === 0 ? describe : describe.skip;

describeWithJq('docs/quickstart.md (with jq)', () => {
  test('starts the service, which prints a key and its address', () => {
    expect(start?.commands).toEqual(['npm ci && npm start']);
    expectPromised(service.output.replace(url, 'http://127.0.0.1:3000'), start?.promised ?? '');
  });

  test(
    'leads from there to a printed report, each line with the output that is promised',
    async () => {
      expect(steps.length).toBeGreaterThan(5);
      await expectSteps(steps);
    },
    processTestMs,
  );

  test(
    'leads from a service that runs already to a key with a limit, whose first report is free',
    async () => {
      await expectSteps(elsewhere);
    },
    processTestMs,
  );

  test('would fail with another output', () => {
    const promised = '{"cost_credits":117,"pool":"purchased"}\n…\n# Report 1: …\n';
    expectPromised('{"cost_credits":120,"pool":"purchased"}\nx\ny\n# Report 22: A title\n', promised);
    const [renamed, missing] = ['{"credits":120,"pool":"purchased"}\n# Report 2: A', '{"cost_credits":1'];
    for (const wrong of [renamed, missing]) expect(() => expectPromised(wrong, promised)).toThrow();
  });
});
