import { describe, expect, test } from '@jest/globals';
import { createOutput, paintFor } from '../../cli/terminal/output.js';

/** An output that records what it writes. */
function recorded({ asJson = false, inPlace = false, columns = 20 } = {}) {
  const written = { out: '', err: '' };
  const output = createOutput({
    asJson,
    inPlace,
    paint: paintFor(process.stdout),
    stdout: { write: text => (written.out += text) },
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

  test('assumes a width on a terminal that reports none', () => {
    const { output, written } = recorded({ inPlace: true, columns: 0 });
    output.status('one');
    output.close();
    expect(written.err).toBe(`${clear}one${clear}`);
  });
});
