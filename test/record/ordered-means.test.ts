import { expect, test } from '@jest/globals';
import { at } from '../../council/numbers.js';
import { seededRandom } from '../../council/random.js';
import { describedMean, meansByEvent } from '../../record/figures/event-mean.js';
import { orderedMeans } from '../../record/figures/ordered-means.js';

const next = seededRandom('measurements by event');
const events = Array.from({ length: 2_500 }, () =>
  Array.from({ length: 1 + Math.floor(next() * 3) }, () => next()),
);

function added(count: number) {
  const [ordered, anyOrder] = [orderedMeans(1), meansByEvent(1)];
  for (const [event, values] of events.slice(0, count).entries()) {
    for (const value of values) {
      ordered.add(event, [value]);
      anyOrder.add(event, [value]);
    }
  }
  return { ordered: ordered.finish(), anyOrder: anyOrder.finish() };
}

test('means of events that follow one another are those of events in any order, to the last bit', () => {
  const { ordered, anyOrder } = added(2_500);
  expect(ordered).toMatchObject({ n: anyOrder.n, events: anyOrder.events, means: anyOrder.means });
  expect(ordered.measurementMean(0).mean_of_events).toBe(anyOrder.means[0]);
  const values = events.flat();
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  expect(ordered.measurementMean(0).mean).toBeCloseTo(mean, 12);
});

test('the interval draws events as every other figure does, also beyond the number of groups', () => {
  const single = orderedMeans(1);
  for (const [event, values] of events.entries()) single.add(event, [at(values, 0)]);
  const firsts = Float64Array.from(events, values => at(values, 0));
  expect(single.finish().measurementMean(0).interval_95).toEqual(describedMean(2_500, firsts).interval_95);
});

test('without measurements there is no mean', () => {
  const { ordered } = added(0);
  expect(ordered).toMatchObject({ n: 0, events: 0, means: [null] });
  expect(ordered.measurementMean(0)).toEqual({ mean: null, interval_95: null, mean_of_events: null });
});
