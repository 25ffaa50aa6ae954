import { expect, test } from '@jest/globals';
import { extractJson } from '../../council/extract-json.js';

test.each([
  ['bare', '{"a":1}'],
  ['with space around it', '\n\n {"a":1}\t\n'],
  ['in a fence', '```json\n{"a":1}\n```'],
  ['in a fence of capitals', '```JSON\n{"a":1}\n```\n'],
  ['in a fence without a language', '```\n{"a":1}\n```'],
])('JSON %s is read', (_, text) => {
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
])('an answer that is %s is a problem, and nothing is guessed', (_, text) => {
  const read = extractJson(text);
  expect(read).toMatchObject({ ok: false, problems: [expect.stringMatching(/^the answer is /)] });
});
