import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { MarketEvent } from '../../council/event.js';
import { parseGammaEvent } from '../../markets/polymarket/parse-gamma-event.js';
import { createSampleEventSource } from '../../markets/sample/sample-event-source.js';
import { gradeForecast } from '../../record/grades/grade.js';
import { forecast, outcome } from '../record/grade-fixtures.js';
import { gammaEvent } from './polymarket/gamma-fixtures.js';

const captures = fileURLToPath(new URL('../../../shared/data/polymarket', import.meta.url));
const present = existsSync(captures);
const samples = createSampleEventSource();

/** The grade of a forecast of the YES side of every market, or of both sides of the only market. */
function gradeOf({ eventId: event_id, exclusive, markets }: MarketEvent) {
  const alone = markets.length === 1;
  const share = Math.floor(100 / Math.max(2, markets.length));
  const outcomes = markets.flatMap(({ name, marketId }) =>
    (alone ? (['yes', 'no'] as const) : (['yes'] as const)).map(side => ({
      ...outcome(`${name} ${side}`, share, share),
      market_id: marketId,
      side,
    })),
  );
  const resolutions = Object.fromEntries(markets.map(({ marketId, resolution }) => [marketId, resolution]));
  const grade = gradeForecast(forecast(outcomes, { event_id, exclusive: exclusive || alone }), resolutions);
  if (grade === 'pending') return { state: grade };
  return { state: grade.state, happened: grade.scores?.outcomes.map(({ happened }) => happened) ?? null };
}

describe('the resolved sample events', () => {
  test.each([
    ['sample-bridge-opening-2025', 'graded', [1, 0]],
    ['sample-budget-vote-2025', 'graded', [0, 1]],
    ['sample-sailing-trophy-2025', 'graded', [0, 1, 0, 0]],
    ['sample-abandoned-final-2025', 'fifty_fifty', null],
    ['sample-cancelled-census-2024', 'void', null],
    ['sample-disputed-record-2025', 'disputed', null],
  ])('%s is %s', async (eventId, state, happened) => {
    const event = await samples.get(eventId);
    if (event === null) throw new Error('there is no such sample');
    expect(gradeOf(event)).toEqual({ state, happened });
  });
});

(present ? describe : describe.skip)(
  `captured responses of Gamma${present ? '' : ' (skipped: ../shared/data/polymarket is not here)'}`,
  () => {
    const read = (name: string) => JSON.parse(readFileSync(`${captures}/${name}.json`, 'utf8'));
    const gradeOfCapture = (raw: unknown) => {
      const event = parseGammaEvent(raw);
      if (event === null) throw new Error('the capture cannot be read');
      return gradeOf(event);
    };

    test('the song contest has exactly one winner', () => {
      const { state, happened } = gradeOfCapture(read('event.eurovision-winner-2026'));
      expect(state).toBe('graded');
      expect(happened?.filter(outcome => outcome === 1)).toHaveLength(1);
    });

    test.each(['nt.gamma_market_closed_nonbinary_legacy', 'nt.gamma_market_closed_zero_zero_legacy'])(
      '%s has no winner',
      name => {
        const raw = gammaEvent({ id: name, closed: true, markets: [read(name)].flat() });
        expect(gradeOfCapture(raw)).toEqual({ state: 'void', happened: null });
      },
    );

    test('a match in progress is pending', () => {
      expect(gradeOfCapture(read('event.fifwc-rsa-can-2026-06-28'))).toEqual({ state: 'pending' });
    });
  },
);
