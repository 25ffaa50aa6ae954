import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { usePageService } from '../../support/browser/use-page-service.js';

const run = promisify(execFile);
const service = await usePageService({ worker: false });
const snippets = snippetsIn(await (await fetch(`${service.url}/docs`)).text());

/** They change nothing, and answer without a run. */
const readOnly = [
  ['search-events', '"events":['],
  ['get-event', '"event_id":'],
  ['check-report', '"cost_credits":120'],
  ['list-reports', '"reports":[]'],
  ['get-track-record', '"figures_version":'],
  ['get-pricing', '"fresh_credits":120'],
  ['get-balance', '"balance_credits":123'],
  ['list-ledger', '"entries":'],
  ['get-health', '"status":'],
] as const;

describe('an example of the reference', () => {
  test.each(readOnly)('%s answers in curl, TypeScript and Python', async (anchor, expected) => {
    const caller = await service.newCaller(123);
    const env = { ...process.env, COUNCIL_API_KEY: caller.key };
    const curl = await run('bash', ['-c', snippetOf(anchor, 'curl')], { env });
    expect(curl.stdout).toContain(expected);
    const python = await run('python3', ['-c', snippetOf(anchor, 'python')], { env });
    expect(python.stdout).toMatch(/^200 /);
    expect(python.stdout).toContain(expected);
    // It has no type that Node would have to remove.
    const node = await run(process.execPath, ['--input-type=module', '-e', snippetOf(anchor, 'typescript')], {
      env,
    });
    expect(node.stdout).toContain(`${expected.split('"')[1]}:`);
  });

  test('sends its body as it is shown', async () => {
    const caller = await service.newCaller(0);
    const env = { ...process.env, COUNCIL_API_KEY: caller.key };
    const { stdout } = await run('bash', ['-c', snippetOf('create-report', 'curl')], { env });
    expect(JSON.parse(stdout)).toMatchObject({ status: 402, code: 'insufficient_credits' });
  });

  test('is a program that its language can read', () => {
    const all = [...snippets.values()];
    expect(all.length).toBeGreaterThan(100);
    const textsIn = (language: string) =>
      all.filter(each => each.language === language).map(({ text }) => text);
    for (const text of textsIn('typescript')) parseSync(text, { syntax: 'typescript', target: 'es2022' });
    const checks = [
      spawnSync('bash', ['-n'], { input: textsIn('curl').join('\n'), encoding: 'utf8' }),
      spawnSync('python3', ['-c', parseAll], {
        input: JSON.stringify(textsIn('python')),
        encoding: 'utf8',
      }),
    ];
    for (const { status, stderr } of checks) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

const parseAll = 'import ast, json, sys; [ast.parse(each) for each in json.load(sys.stdin)]';

function snippetOf(anchor: string, language: string): string {
  const found = snippets.get(`${anchor} ${language}`);
  if (found === undefined) throw new Error(`/docs has no ${language} of ${anchor}`);
  // The service listens at another port than its public address has.
  return found.text.replaceAll(/https?:\/\/[^/'"]+/g, service.url);
}

/** By anchor and language, as a browser shows them. */
function snippetsIn(html: string): Map<string, { readonly language: string; readonly text: string }> {
  const sections = html.split('<section class="operation" id="').slice(1);
  return new Map(
    sections.flatMap(section => {
      const anchor = section.slice(0, section.indexOf('"'));
      return [...section.matchAll(/<pre data-code="(\w+)">([^<]*)<\/pre>/g)].map(
        ([, language = '', escaped = '']) => [`${anchor} ${language}`, { language, text: plain(escaped) }],
      );
    }),
  );
}

function plain(escaped: string): string {
  return escaped
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
