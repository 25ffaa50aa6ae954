import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { extractJson, parseAnswer } from '../../../council/answers/parse-answer.js';

test.each([
  ['bare', '{"a":1}'],
  ['with space around it', '\n\n {"a":1}\t\n'],
  ['in a fence', '```json\n{"a":1}\n```'],
  ['in a fence of capitals', '```JSON\n{"a":1}\n```\n'],
  ['in a fence without a language', '```\n{"a":1}\n```'],
])('JSON %s is parsed', (_, text) => {
  expect(extractJson(text)).toEqual({ ok: true, value: { a: 1 } });
});

test.each([
  ['empty', ''],
  ['nothing but space', '  \n'],
  ['prose before it', 'Here you go: {"a":1}'],
  ['prose after it', '{"a":1}\nHope this helps!'],
  ['prose around a fence', 'Sure:\n```json\n{"a":1}\n```'],
  ['cut off', '{"a":[1,2'],
  ['two objects', '{"a":1}{"a":2}'],
  ['two fences', '```json\n{"a":1}\n```\n```json\n{"a":2}\n```'],
  ['a refusal', 'I’m sorry, I can’t help with that.'],
  ['not a number JSON knows', '{"a":NaN}'],
  ['longer than any honest answer', `"${'x'.repeat(100_001)}"`],
])('an answer that is %s is rejected without guessing', (_, text) => {
  const read = extractJson(text);
  expect(read).toMatchObject({ ok: false, problems: [expect.stringMatching(/^the answer is /)] });
});

const shape = z.object({
  list: z.array(z.object({ n: z.number().min(0).max(100) })).max(2),
  text: z.string().min(1).max(3),
});
const parse = (answer: unknown) => parseAnswer(JSON.stringify(answer), shape);

test.each<[unknown, string[]]>([
  [
    { list: [{ n: 101 }, { n: '5' }], text: 'abcd' },
    [
      'list[0].n: must be at most 100',
      'list[1].n: must be of type number',
      'text: must be at most 3 characters long',
    ],
  ],
  [
    { list: [{ n: 1 }, { n: 1 }, { n: 2 }], text: '' },
    ['list: must be at most 2 entries long', 'text: must be at least 1 characters long'],
  ],
  [{ list: [{ n: -1 }], text: 'a' }, ['list[0].n: must be at least 0']],
  [[], ['the answer: must be of type object']],
])('problems name the field and the rule for a repair prompt: %j', (answer, problems) => {
  expect(parse(answer)).toEqual({ ok: false, problems });
});

test('problems never quote the model', () => {
  const answer = { list: 'INJECTED', text: { INJECTED: true }, INJECTED: 1 };
  expect(JSON.stringify(parse(answer))).not.toContain('INJECTED');
});

test('at most ten problems are reported', () => {
  const many = z.object({ list: z.array(z.number()) });
  const parsed = parseAnswer(JSON.stringify({ list: Array(50).fill('x') }), many);
  expect(parsed.ok ? [] : parsed.problems).toHaveLength(10);
});

test('unknown fields are dropped', () => {
  const value = { list: [], text: 'a' };
  expect(parse({ ...value, probability: 99 })).toEqual({ ok: true, value });
});
