import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseAnswer } from '../../council/parse-answer.js';

const shape = z.object({
  list: z.array(z.object({ n: z.number().min(0).max(100) })).max(2),
  text: z.string().min(1).max(3),
});
const problems = (answer: unknown) => parseAnswer(JSON.stringify(answer), shape);

test('problems say where and what, in words fit for a repair prompt', () => {
  expect(problems({ list: [{ n: 101 }, { n: '5' }], text: 'abcd' })).toEqual({
    ok: false,
    problems: [
      'list[0].n: must be at most 100',
      'list[1].n: must be of type number',
      'text: must be at most 3 characters long',
    ],
  });
  expect(problems({ list: [{ n: 1 }, { n: 1 }, { n: 2 }], text: '' })).toEqual({
    ok: false,
    problems: ['list: must be at most 2 entries long', 'text: must be at least 1 characters long'],
  });
  expect(problems({ list: [{ n: -1 }], text: 'a' })).toEqual({
    ok: false,
    problems: ['list[0].n: must be at least 0'],
  });
  expect(problems([])).toEqual({ ok: false, problems: ['the answer: must be of type object'] });
});

test('problems never carry the model’s own words', () => {
  const answer = JSON.stringify({ list: 'INJECTED', text: { INJECTED: true }, INJECTED: 1 });
  expect(JSON.stringify(parseAnswer(answer, shape))).not.toContain('INJECTED');
});

test('of many problems the first ten are told', () => {
  const many = z.object({ list: z.array(z.number()) });
  const parsed = parseAnswer(JSON.stringify({ list: Array(50).fill('x') }), many);
  expect(parsed.ok ? [] : parsed.problems).toHaveLength(10);
});

test('fields nobody asked for are dropped', () => {
  expect(problems({ list: [], text: 'a', probability: 99 })).toEqual({
    ok: true,
    value: { list: [], text: 'a' },
  });
});
