import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { createRetoldEvents } from '../../support/record/retold-events.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { patientDeadlines, startTestService, type TestService } from '../../support/service/test-service.js';

const events = createRetoldEvents();
const derby = 'sample-ridge-derby-2031';

describeInBrowser('the page of one’s reports', browser => {
  let service: TestService;
  const open = (caller: TestCaller, query = '') => visitAs(browser, caller, `/reports${query}`);

  beforeAll(async () => {
    service = await startTestService({
      markets: events,
      pages: await loadPageRenderer(),
      stageDeadlinesMs: patientDeadlines,
    });
  });
  afterAll(() => service.stop());
  afterEach(() => service.simulator.clearFaults());

  /** That many runs of the account that failed, straight into the tables. */
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

  test('says what to do when there is none', async () => {
    const visit = await open(await service.newCaller());
    await visit.page.getByRole('heading', { name: 'You have no report yet' }).waitFor();
    await expectSoundPage(visit);
    await visit.page.locator('main').getByRole('link', { name: 'Search the events' }).click();
    await visit.page.waitForURL(`${service.url}/`);
  });

  test('says of each what it came to, how it was paid, and that it is simulated', async () => {
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
      `${verdict} on “${report.queried_market}”: ${report.probability}\u00a0% for YES, confidence ${report.confidence}`,
    );
    expect(await row.innerText()).toMatch(/simulated[^]*Half price, with credits/);
    await expectSoundPage(visit);
    await row.getByRole('link').click();
    await visit.page.waitForURL(`${service.url}/reports/${report.id}`);
  });

  test('marks one that is being made, and shows its end without being asked again', async () => {
    const caller = await service.newCaller(1_000);
    const letGo = service.simulator.hold({ stage: 'synthesis' });
    await caller.buy(events.retell(derby));
    const { page } = await open(caller);
    await page.locator('.report-row .pill', { hasText: 'running' }).waitFor();
    letGo();
    await page.locator('.report-row', { hasText: 'confidence' }).waitFor();
    expect(await page.locator('.pill', { hasText: 'running' }).count()).toBe(0);
  });

  test('a long history has pages, and can be narrowed down to what failed', async () => {
    const eventId = events.retell(derby);
    const caller = await service.newCaller(1_000);
    await caller.untilEnded((await caller.buy(eventId)).body.report_id);
    await plantFailed(caller, eventId, 24);
    const visit = await open(caller);
    const { page } = visit;
    const rows = page.locator('.report-row');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(20);
    await page.getByRole('link', { name: 'More' }).click();
    await page.getByText('Page 2').waitFor();
    await page.getByRole('link', { name: 'Completed' }).click();
    await page.waitForURL(/status=completed$/);
    await page.locator('.report-row', { hasText: 'Ridge Derby' }).waitFor();
    await page.getByRole('link', { name: 'Failed' }).click();
    await page.waitForURL(/status=failed$/);
    await page.locator('.report-row.failed').first().waitFor();
    await page.getByRole('link', { name: 'More' }).click();
    await page.waitForURL(/status=failed&page=2$/);
    await expectSoundPage(visit);
    await page.getByRole('link', { name: 'Running' }).click();
    await page.getByText('None of your reports is running.').waitFor();
    await page.goto(`${service.url}/reports?page=9`);
    await page.getByRole('link', { name: 'See the newest reports' }).waitFor();
    await expectSoundPage(visit);
  });
});
