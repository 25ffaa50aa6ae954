import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { describeService } from '../../cli/launch/first-start.js';
import { explainFailure } from '../../cli/terminal/explain-failure.js';
import { createOutput, paintFor } from '../../cli/terminal/output.js';
import { CouncilProblem } from '../../client/council-problem.js';
import { readSettings } from '../../platform/settings/settings.js';

/** An output that records what it writes. */
function recorded({ asJson = false, inPlace = false, columns = 20, isTTY = false } = {}) {
  const written = { out: '', err: '' };
  const output = createOutput({
    asJson,
    inPlace,
    paint: paintFor(process.stdout),
    stdout: { isTTY, write: text => (written.out += text) },
    stderr: { columns, write: text => (written.err += text) },
  });
  return { output, written };
}

const clear = '\r\u001B[2K';

describe('the output of a command', () => {
  test('overwrites the status on a terminal, cuts it to the width, and clears it before a permanent line', () => {
    const { output, written } = recorded({ inPlace: true });
    output.status('one');
    output.status('two, and far too long for it');
    output.progress('stays');
    output.flicker('three');
    output.result({}, 'the end');
    output.close();
    expect(written).toEqual({
      out: 'the end\n',
      err: `${clear}one${clear}two, and far too lo${clear}stays\n${clear}three${clear}`,
    });
  });

  test('writes a file as it is, but not to a terminal', () => {
    const file = 'a\u001B[2J,b\r\n';
    const written = (options: { isTTY?: boolean; asJson?: boolean }) => {
      const recording = recorded(options);
      recording.output.file({ file: 'x' }, file);
      return recording.written.out;
    };
    expect(written({})).toBe(file);
    expect(written({ isTTY: true })).toBe('a[2J,b\n');
    expect(JSON.parse(written({ asJson: true }))).toEqual({ file: 'x' });
  });

  test('writes a line per change of status without a terminal', () => {
    const { output, written } = recorded();
    for (const line of ['one', 'one', 'two']) output.status(line);
    output.flicker('three');
    output.next('try this');
    output.close();
    expect(written).toEqual({ out: '', err: 'one\ntwo\ntry this\n' });
  });

  test('writes one document and no advice with --json, and progress to standard error', () => {
    const { output, written } = recorded({ asJson: true });
    output.progress('begun');
    output.next('try this');
    output.result({ a: 1 }, 'text');
    expect(JSON.parse(written.out)).toEqual({ a: 1 });
    expect(written.err).toBe('begun\n');
  });

  test('lets no text control the terminal, keeps the colours of its own, and escapes characters in JSON', () => {
    const hostile = 'a\u001b[2J\u009b1m\u202eb\u001b]8;;x\u0007';
    const { output, written } = recorded();
    output.result({}, `\u001b[1m${hostile}\u001b[22m`);
    output.progress(hostile);
    output.status(hostile);
    output.next(hostile);
    expect(written.out).toBe('\u001b[1ma[2J1mb]8;;x\u001b[22m\n');
    expect(written.err).toBe('a[2J1mb]8;;x\n'.repeat(3));
    const json = recorded({ asJson: true });
    json.output.result({ [hostile]: hostile }, '');
    expect(json.written.out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(json.written.out)).toEqual({ [hostile]: hostile });
    const onTerminal = recorded({ inPlace: true });
    onTerminal.output.status('b\u001b[2Jc');
    onTerminal.output.flicker('d\u009bAe');
    onTerminal.output.close();
    expect(onTerminal.written.err).toBe(`${clear}b[2Jc${clear}dAe${clear}`);
  });

  test('keeps every colour', () => {
    const { output, written } = recorded();
    const paint = paintFor(Object.assign(new PassThrough(), { isTTY: true, getColorDepth: () => 8 }));
    const painted = Object.values(paint)
      .map(brush => brush('x'))
      .join('');
    output.result({}, painted);
    expect(painted).toContain('\u001b[');
    expect(written.out).toBe(`${painted}\n`);
  });

  test('assumes a width on a terminal that reports none', () => {
    const { output, written } = recorded({ inPlace: true, columns: 0 });
    output.status('one');
    output.close();
    expect(written.err).toBe(`${clear}one${clear}`);
  });
});

test.each([
  [40, 'Try again in 40 seconds.'],
  [3_488, 'Try again in 59 minutes.'],
  [86_400, 'Try again in 24 hours.'],
  [null, 'Try again later.'],
])('a problem with Retry-After %p advises in words: %s', (retryAfterSeconds, advice) => {
  const problem = new CouncilProblem('run_limit_exceeded', 'Five runs.', {
    baseUrl: 'http://council.test',
    retryAfterSeconds,
  });
  expect(explainFailure(problem).next).toContain(advice);
});

test('the ready line says where mail goes', () => {
  const ready = 'Ready: API http://127.0.0.1:3000 · Metrics http://127.0.0.1:9464/metrics';
  expect(readyLine({})).toBe(`${ready} · mail is written to the log, because SMTP_URL is not set`);
  const sent = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'council@example.com' };
  expect(readyLine(sent)).toBe(ready);
});

const readyLine = (env: Record<string, string>) =>
  describeService({
    settings: readSettings(env),
    url: 'http://127.0.0.1:3000',
    uiUrl: undefined,
    metricsUrl: 'http://127.0.0.1:9464/metrics',
    simulator: '',
    demo: null,
  })
    .split('\n')
    .at(-1);
