import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import type { MarketEvent, Resolution } from '../../../council/event.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { startBatch } from '../../support/record/regrade-batch.js';
import { createRetoldEvents } from '../../support/record/retold-events.js';
import { scriptCouncil } from '../../support/service/script-council.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const events = createRetoldEvents();
const percents = { 'Eastmoor United': 55, Draw: 10, 'Wexley Rovers': 35 };

const resolved =
  (resolutionOf: (name: string) => Resolution) =>
  (event: MarketEvent): MarketEvent => ({
    ...event,
    status: 'closed',
    markets: event.markets.map(market => ({
      ...market,
      status: 'closed',
      resolution: resolutionOf(market.name),
    })),
  });

describeInBrowser('the page of a report whose event is over', browser => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ markets: events, pages: await loadPageRenderer() });
    scriptCouncil(service, { percents });
  });
  afterAll(() => service.stop());

  /** A report on an event that has since ended so. */
  async function readAfter(end: (event: MarketEvent) => MarketEvent) {
    let isOver = false;
    const eventId = events.retell('sample-ridge-derby-2031', event => (isOver ? end(event) : event));
    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy(eventId);
    await caller.untilEnded(body.report_id);
    isOver = true;
    await (await startBatch(service, { kind: 'event', eventId })).result();
    const report = await caller.untilEnded(body.report_id);
    const visit = await visitAs(browser, caller, `/reports/${report.id}`);
    await visit.page.locator('#grade').waitFor();
    return { report, visit, text: await visit.page.locator('main').innerText() };
  }

  test('says what happened, how far everybody was from it, and what became of the bets', async () => {
    const { report, visit, text } = await readAfter(
      resolved(name => (name === 'Eastmoor United' ? 'yes' : 'no')),
    );
    const { scores } = report.grade;
    expect(text).toContain('Since then: It came out as “Eastmoor United”.');
    expect(scores.council.brier).toBeLessThan(scores.market.brier);
    expect(text).toContain('The council was closer than the market this time.');
    for (const [name, score] of [
      ['Council', scores.council],
      ['Market', scores.market],
    ]) {
      const row = visit.page
        .getByRole('row', { name, exact: false })
        .filter({ hasText: score.brier.toFixed(3) });
      expect(await row.first().locator('td').allInnerTexts()).toEqual([
        score.brier.toFixed(3),
        score.log_score.toFixed(3),
        'yes',
      ]);
    }
    const bets = visit.page.locator('.graded-bets tbody tr');
    expect(await bets.count()).toBe(report.council_config.runtime.top_bets.length);
    expect(await visit.page.locator('.distribution .pill').allInnerTexts()).toEqual(['happened']);
    await expectSoundPage(visit);
  });

  test.each([
    ['void', 'The market was declared void.'],
    ['fifty_fifty', 'The market paid half to each side.'],
    ['disputed', 'What happened is disputed.'],
  ] as const)('says of one that is %s why it is not graded', async (resolution, said) => {
    const { visit, text } = await readAfter(resolved(() => resolution));
    expect(text).toContain(said);
    expect(await visit.page.locator('.grade-scores').count()).toBe(0);
    await expectSoundPage(visit);
  });
});
