import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { MarketEvent, Resolution } from '../../../council/event.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { startBatch } from '../../support/record/regrade-batch.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { scriptCouncil } from '../../support/service/script-council.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { longDeadlines } from '../../support/service/test-service.js';

const events = createSampleEventCopies();
const derby = 'sample-ridge-derby-2031';

const service = await usePageService({ markets: events, stageDeadlinesMs: longDeadlines });

describeInBrowser('the list of reports', browser => {
  const open = (caller: TestCaller, query = '') => visitAs(browser, caller, `/reports${query}`);

  afterEach(() => service.simulator.clearFaults());

  /** Inserts failed runs of the account directly into the tables. */
  async function plantFailed(caller: TestCaller, eventId: string, count: number): Promise<void> {
    await service.database.pool.query(
      `with failed as (
         insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed,
           failure_code, created_at, ended_at)
         select $1, $2, 'Planted ' || place, date '2000-01-01' + place, 'test', 'subscription', true, 'failed', 's',
           'internal', $4, $4
         from generate_series(1, $3::int) as place returning id)
       insert into report_purchases (id, account_id, state, kind, report_id, lane, credits, created_at)
       select gen_random_uuid(), $1, 'charged', 'fresh', id, 'subscription', 0, $4 from failed`,
      [caller.accountId, eventId, count, new Date('2020-01-01')],
    );
  }

  test('explains what to do when it is empty', async () => {
    const visit = await open(await service.newCaller());
    await visit.page.getByRole('heading', { name: 'No reports yet' }).waitFor();
    await expectSoundPage(visit);
    await visit.page.locator('main').getByRole('link', { name: 'Search the events' }).click();
    await visit.page.waitForURL(`${service.url}/`);
  });

  test('shows the verdict, the payment and the simulation of each report', async () => {
    const eventId = events.retell(derby);
    const first = await service.newCaller(1_000);
    await first.untilEnded((await first.buy(eventId)).body.report_id);
    const caller = await service.newCaller(1_000);
    const report = await caller.untilEnded((await caller.buy(eventId)).body.report_id);
    const visit = await open(caller);
    const row = visit.page.locator('.report-row');
    await row.waitFor();
    const verdict = { BUY_YES: 'Buy YES', BUY_NO: 'Buy NO', SKIP: 'Skip' }[String(report.action)];
    expect(await row.innerText()).toContain(
      `${verdict} on “${report.queried_market}”: estimate ${report.estimate}\u00a0% for YES, confidence ${report.confidence}`,
    );
    expect(await row.innerText()).toMatch(/simulated[^]*Half price, paid with credits/);
    await expectSoundPage(visit);
    await row.getByRole('link').click();
    await visit.page.waitForURL(`${service.url}/reports/${report.id}`);
  });

  test('marks a running report and updates it when it completes', async () => {
    const caller = await service.newCaller(1_000);
    const release = service.simulator.hold({ stage: 'synthesis' });
    await caller.buy(events.retell(derby));
    const { page } = await open(caller);
    await page.locator('.report-row .pill', { hasText: 'running' }).waitFor();
    release();
    await page.locator('.report-row', { hasText: 'confidence' }).waitFor();
    expect(await page.locator('.pill', { hasText: 'running' }).count()).toBe(0);
  });

  test('a long list has pages and can be filtered by status', async () => {
    const eventId = events.retell(derby);
    const caller = await service.newCaller(1_000);
    await caller.untilEnded((await caller.buy(eventId)).body.report_id);
    await plantFailed(caller, eventId, 24);
    const visit = await open(caller);
    const { page } = visit;
    const rows = page.locator('.report-row');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(20);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2').waitFor();
    await page.getByRole('link', { name: 'Completed' }).click();
    await page.waitForURL(/status=completed$/);
    await page.locator('.report-row', { hasText: 'Ridge Derby' }).waitFor();
    await page.getByRole('link', { name: 'Failed' }).click();
    await page.waitForURL(/status=failed$/);
    await page.locator('.report-row.failed').first().waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL(/status=failed&page=2$/);
    await expectSoundPage(visit);
    await page.getByRole('link', { name: 'Running' }).click();
    await page.getByText('You have no running reports.').waitFor();
    await page.goto(`${service.url}/reports?page=9`);
    await page.getByRole('link', { name: 'See the newest reports' }).waitFor();
    await expectSoundPage(visit);
  });
});

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
  const percents = { 'Eastmoor United': 55, Draw: 10, 'Wexley Rovers': 35 };
  beforeAll(() => scriptCouncil(service, { percents }));
  afterAll(() => service.simulator.clearFaults());

  /** Buys a report, resolves its event, grades it, and opens its page. */
  async function readAfter(end: (event: MarketEvent) => MarketEvent) {
    let isResolved = false;
    const eventId = events.retell(derby, event => (isResolved ? end(event) : event));
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
    ['void', 'The market ended without a winner.'],
    ['fifty_fifty', 'The market paid half to each side.'],
    ['disputed', 'The resolution is disputed.'],
  ] as const)('explains why a report is not graded if the market is %s', async (resolution, reason) => {
    const { visit, text } = await readAfter(resolved(() => resolution));
    expect(text).toContain(reason);
    expect(await visit.page.locator('.grade-scores').count()).toBe(0);
    await expectSoundPage(visit);
  });
});
