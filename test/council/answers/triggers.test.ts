import { describe, expect, test } from '@jest/globals';
import { parseSynthesis } from '../../../council/answers/stage-parsers.js';
import type { Synthesis } from '../../../council/deliberation/stages.js';
import { shownChanges } from '../fixtures.js';

const trigger = { if: 'The court rules.', by: '2031-05-01', direction: 'up', members: ['A1'] };

/** The synthesis is never lost for its triggers. */
function read(triggers: unknown): { value: Synthesis; flaws: readonly string[] } {
  const answer = { summary: 'It will.', agreements: [], disagreements: [], key_uncertainties: [], triggers };
  const parsed = parseSynthesis(JSON.stringify(answer), shownChanges);
  if (!parsed.ok) throw new Error(`the synthesis was lost: ${parsed.problems.join('; ')}`);
  return { value: parsed.value, flaws: parsed.flaws ?? [] };
}

test('a trigger names the changes that it merges by member and place', () => {
  expect(read([{ ...trigger, members: ['A2', 'B', 'A1', 'A2'] }])).toMatchObject({
    value: {
      triggers: [
        {
          if: 'The court rules.',
          by: '2031-05-01',
          direction: 'up',
          basedOn: [
            { model: 'gpt', change: 1 },
            { model: 'grok', change: null },
            { model: 'gpt', change: 0 },
          ],
        },
      ],
      dropped: [],
    },
    flaws: [],
  });
});

test('a trigger has no number, also if the chairman adds one', () => {
  const { value } = read([{ ...trigger, to: 99, probability: 99 }]);
  expect(JSON.stringify(value.triggers)).not.toContain('99');
});

describe('a trigger is left out with a reason, and the others stay, if', () => {
  test.each([
    [
      'it names a change that no answer has',
      { members: ['A1', 'A3'] },
      'its members must be the ids of changes shown, such as A1',
    ],
    [
      'it names the answer of nobody',
      { members: ['C'] },
      'its members must be the ids of changes shown, such as A1',
    ],
    ['it rests on nothing', { members: [] }, 'its members must be the ids of changes shown, such as A1'],
    ['its date is past', { by: '2031-03-31' }, 'by must not be in the past'],
    ['it names models', { members: ['gpt'] }, 'its members must be the ids of changes shown, such as A1'],
  ])('%s', (_, change, reason) => {
    const { value, flaws } = read([{ ...trigger, ...change }, trigger]);
    expect(flaws).toEqual([`triggers[0]: ${reason}`]);
    expect(value).toMatchObject({ triggers: [{ if: trigger.if }], dropped: flaws });
    expect(value.triggers).toHaveLength(1);
  });

  test.each([
    ['its date is none', { by: 'soon' }, 'by: must be a date such as 2031-04-30'],
    ['its direction is neither', { direction: 'sideways' }, 'direction: must be up or down'],
    ['it has no event', { if: ' ' }, 'if: must be at least 1 characters long'],
  ])('%s', (_, change, reason) => {
    expect(read([trigger, { ...trigger, ...change }]).flaws).toEqual([`triggers[1].${reason}`]);
  });
});

test('more than five are a flaw, and the first five count', () => {
  const { value, flaws } = read(
    Array.from({ length: 7 }, (_, index) => ({ ...trigger, if: `Event ${index}.` })),
  );
  expect(value.triggers?.map(each => each.if)).toEqual([0, 1, 2, 3, 4].map(index => `Event ${index}.`));
  expect(flaws).toEqual(['triggers: must be at most 5 entries long']);
});

test.each([
  ['a text', 'none', 'triggers: must be of type array'],
  ['a null', null, 'triggers: must be of type array'],
])('%s in their place leaves none, and is a flaw', (_, triggers, reason) => {
  expect(read(triggers)).toMatchObject({ value: { triggers: [], dropped: [reason] }, flaws: [reason] });
});

test('an empty list is an answer', () => {
  expect(read([])).toMatchObject({ value: { triggers: [], dropped: [] }, flaws: [] });
});

test('however many are invalid, the reasons stay short enough to repeat and to publish', () => {
  const { value, flaws } = read(Array.from({ length: 20_000 }, () => 1));
  expect(flaws.length).toBeLessThanOrEqual(10);
  expect(value.dropped).toEqual(flaws);
});
