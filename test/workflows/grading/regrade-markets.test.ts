import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MarketEvent } from '../../../council/event.js';
import { findCurrentGrade } from '../../../db/track-record/grades.js';
import { parseGammaEvent } from '../../../markets/gamma/parse-gamma-event.js';
import type { RecordedOutcome } from '../../../record/recorded-forecast.js';
import { createSampleEventSource } from '../../../simulator/events/sample-event-source.js';
import { event, market } from '../../council/fixtures.js';
import { gammaEvent } from '../../markets/gamma/gamma-fixtures.js';
import { forecast } from '../../record/grade-fixtures.js';
import { ControlledMarkets } from '../../support/record/controlled-markets.js';
import { plantReports } from '../../support/record/plant-record.js';
import { startBatch } from '../../support/record/regrade-batch.js';
import { ownNamespace } from '../../support/service/own-namespace.js';
import { send } from '../../support/service/send.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const captures = fileURLToPath(new URL('../../../../shared/data/polymarket', import.meta.url));
const present = existsSync(captures);
const samples = createSampleEventSource();
const markets = new ControlledMarkets();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ markets, namespace: await ownNamespace() });
});
afterAll(() => service.stop());

/** The grade of a report on this event, after a batch. */
async function gradeOf(event: MarketEvent) {
  markets.responses.set(event.eventId, event);
  const { eventId: event_id, exclusive } = event;
  const outcomes = outcomesOf(event);
  const alone = event.markets.length === 1;
  const [report] = await plantReports(service.database, [
    forecast(outcomes, { event_id, exclusive: exclusive || alone }),
  ]);
  const result = await (await startBatch(service, { kind: 'event', eventId: event_id })).result();
  expect(result).toMatchObject({ events: 1, failed: 0 });
  return findCurrentGrade(service.database.db, report?.report_id ?? 0);
}

/** The YES side of every market, or both sides of the only market. */
function outcomesOf({ markets: all }: MarketEvent): RecordedOutcome[] {
  const share = Math.floor(100 / Math.max(2, all.length));
  const sides = all.length === 1 ? (['yes', 'no'] as const) : (['yes'] as const);
  return all.flatMap(({ name, marketId: market_id }) =>
    sides.map(side => ({
      name: `${name} ${side}`,
      market_id,
      side,
      council: share,
      market: share,
      members: { claude: share, gpt: share },
      estimate: null,
      first_council: share,
      first_members: { claude: share, gpt: share },
    })),
  );
}

const happened = (grade: Awaited<ReturnType<typeof gradeOf>>) =>
  grade?.scores?.outcomes.map(outcome => outcome.happened) ?? null;

describe('the resolved sample events', () => {
  test.each([
    ['sample-bridge-opening-2025', 'graded', [1, 0]],
    ['sample-budget-vote-2025', 'graded', [0, 1]],
    ['sample-sailing-trophy-2025', 'graded', [0, 1, 0, 0]],
    ['sample-abandoned-final-2025', 'fifty_fifty', null],
    ['sample-cancelled-census-2024', 'void', null],
    ['sample-disputed-record-2025', 'disputed', null],
  ])('%s is %s', async (eventId, state, outcomes) => {
    const event = await samples.get(eventId);
    if (event === null) throw new Error('there is no such sample');
    const grade = await gradeOf(event);
    expect(grade).toMatchObject({ state, grader: 'grader/1', corrected: false });
    expect(happened(grade)).toEqual(outcomes);
  });
});

test('a batch makes a forecast public whose market trades no longer, before the event is resolved', async () => {
  const closed = event([market({ name: 'Rain', status: 'closed' })], {
    eventId: 'closed-unresolved',
    status: 'closed',
    closesAt: '2020-01-01T00:00:00.000Z',
  });
  markets.responses.set(closed.eventId, closed);
  const [report] = await plantReports(service.database, [
    forecast(outcomesOf(closed), { event_id: closed.eventId }),
  ]);
  const shown = async () => {
    const { body } = await send(`${service.url}/api/stats/track-record/chain?limit=100`);
    const payloads = body.entries.map(({ payload }: { payload: string | null }) => payload ?? '');
    return payloads.filter((payload: string) => payload.includes(`"report_id":${report?.report_id},`));
  };
  expect(await shown()).toEqual([]);
  await (await startBatch(service, { kind: 'event', eventId: closed.eventId })).result();
  expect(await shown()).toHaveLength(1);
});

(present ? describe : describe.skip)(
  `captured responses of Gamma${present ? '' : ' (skipped: ../shared/data/polymarket is not here)'}`,
  () => {
    const read = (name: string) => JSON.parse(readFileSync(`${captures}/${name}.json`, 'utf8'));
    const parsed = (raw: unknown): MarketEvent => {
      const event = parseGammaEvent(raw);
      if (event === null) throw new Error('the capture cannot be read');
      return { ...event, source: 'sample' };
    };

    test('the song contest has exactly one winner', async () => {
      const grade = await gradeOf(parsed(read('event.eurovision-winner-2026')));
      expect(grade?.state).toBe('graded');
      expect(happened(grade)?.filter(outcome => outcome === 1)).toHaveLength(1);
    });

    test.each(['nt.gamma_market_closed_nonbinary_legacy', 'nt.gamma_market_closed_zero_zero_legacy'])(
      '%s has no winner',
      async name => {
        const grade = await gradeOf(
          parsed(gammaEvent({ id: name, closed: true, markets: [read(name)].flat() })),
        );
        expect(grade).toMatchObject({ state: 'void', scores: null });
      },
    );

    test('a match in progress is pending', async () => {
      expect(await gradeOf(parsed(read('event.fifwc-rsa-can-2026-06-28')))).toBeNull();
    });
  },
);
