import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import type { MarketEvent, Resolution } from '../../../council/event.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { startBatch } from '../../support/record/regrade-batch.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { scriptCouncil } from '../../support/service/script-council.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const events = createSampleEventCopies();
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

describeInBrowser('the page of a graded report', browser => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ markets: events, pages: await loadPageRenderer() });
    scriptCouncil(service, { percents });
  });
  afterAll(() => service.stop());

  /** Buys a report, resolves its event, grades it, and opens its page. */
  async function readAfter(end: (event: MarketEvent) => MarketEvent) {
    let isResolved = false;
    const eventId = events.retell('sample-ridge-derby-2031', event => (isResolved ? end(event) : event));
    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy(eventId);
    await caller.untilEnded(body.report_id);
    isResolved = true;
    await (await startBatch(service, { kind: 'event', eventId })).result();
    const report = await caller.untilEnded(body.report_id);
    const visit = await visitAs(browser, caller, `/reports/${report.id}`);
    await visit.page.locator('#grade').waitFor();
    return { report, visit, text: await visit.page.locator('main').innerText() };
  }

  test('shows the outcome, the scores and the results of the bets', async () => {
    const { report, visit, text } = await readAfter(
      resolved(name => (name === 'Eastmoor United' ? 'yes' : 'no')),
    );
    const { scores } = report.grade;
    expect(text).toContain('Outcome: It resolved to “Eastmoor United”.');
    expect(scores.council.brier).toBeLessThan(scores.market.brier);
    expect(text).toContain('The council scored better than the market on this report.');
    for (const [name, score] of [
      ['Council', scores.council],
      ['Market', scores.market],
      ['Estimate', scores.estimate],
      ['Council before the review', scores.first_council],
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
    ['disputed', 'The resolution is disputed.'],
  ] as const)('explains why a report is not graded if the market is %s', async (resolution, reason) => {
    const { visit, text } = await readAfter(resolved(() => resolution));
    expect(text).toContain(reason);
    expect(await visit.page.locator('.grade-scores').count()).toBe(0);
    await expectSoundPage(visit);
  });
});
