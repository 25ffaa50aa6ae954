import { expect, test } from '@jest/globals';
import type { MarketEvent } from '../../../council/event.js';
import { parseGammaEvent } from '../../../markets/gamma/parse-gamma-event.js';
import { gammaEvent, gammaMarket } from './gamma-fixtures.js';

const hidden = '\u001b[2J\u202e\ufe0f\u{e0041}\u0000';

test('invisible characters are removed from what is shown', () => {
  const event = read(
    gammaEvent({
      title: `Rain${hidden}\u2028today?`,
      description: `One.\r\nTwo.${hidden}`,
      tags: [{ label: `Weather${hidden}` }],
      markets: [gammaMarket({ question: `Q${hidden}`, outcomes: JSON.stringify([`Y${hidden}`, 'N']) })],
    }),
  );
  expect(event).toMatchObject({
    title: 'Rain[2J today?',
    description: 'One.\nTwo.[2J',
    category: 'Weather[2J',
  });
  expect(event.markets).toMatchObject([{ name: 'Q[2J', question: 'Q[2J', sides: ['Y[2J', 'N'] }]);
});

test('an id or a slug with one is refused, because without it the market would be asked for something else', () => {
  expect(parseGammaEvent(gammaEvent({ id: '1\u200b' }))).toBeNull();
  expect(parseGammaEvent(gammaEvent({ title: '\u200b\u001b' }))).toBeNull();
  expect(read(gammaEvent({ slug: 'rain\u202e' })).slug).toBeNull();
  expect(read(gammaEvent({ markets: [gammaMarket({ id: '7\u009b' }), gammaMarket()] })).markets).toHaveLength(
    1,
  );
});

test('names that differ in one only do not become equal', () => {
  const named = ['Canada', 'Can\u200bada', 'Peru'].map((groupItemTitle, index) =>
    gammaMarket({ id: `${index}`, groupItemTitle, question: `Question ${index}` }),
  );
  const { markets } = read(gammaEvent({ markets: named }));
  expect(markets.map(({ name }) => name)).toEqual(['Question 0', 'Question 1', 'Peru']);
});

function read(raw: unknown): MarketEvent {
  const event = parseGammaEvent(raw);
  if (event === null) throw new Error('expected an event');
  return event;
}
