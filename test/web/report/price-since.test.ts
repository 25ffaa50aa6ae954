import { beforeAll, expect, test } from '@jest/globals';
import type { ReportView } from '../../../contract/reports.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs } from '../../support/browser/visit-as.js';
import type { TestCaller } from '../../support/service/test-caller.js';

const service = await usePageService();
const dayMs = 86_400_000;

describeInBrowser('the prices on the page of a report', browser => {
  let caller: TestCaller;
  let report: ReportView;
  beforeAll(async () => {
    caller = await service.newCaller(1_000);
    report = await caller.run('sample-ridge-derby-2031');
  });

  /** The page, where the market traded at these prices, one a day, of which two are before the report. */
  async function open(prices: readonly number[]) {
    const takenAtMs = Date.parse(report.market_snapshot?.taken_at ?? '');
    const visit = await visitAs(browser, caller, '/reports');
    await visit.page.route('**/api/events/*/prices?*', route =>
      route.fulfill({
        json: {
          event_id: report.event_id,
          market: 'Derby',
          slug: 'derby',
          points: prices.map((yes_price, index) => ({
            at: new Date(takenAtMs + (index - 1.5) * dayMs).toISOString(),
            yes_price,
          })),
        },
      }),
    );
    await visit.page.goto(`${service.url}/reports/${report.id}`);
    await visit.page.locator(prices.length === 0 ? '#provenance' : '#price-since').waitFor();
    return visit;
  }

  const contentsOf = (page: Awaited<ReturnType<typeof open>>['page']) =>
    page.getByRole('navigation', { name: 'On this page' }).getByRole('link').allInnerTexts();

  test('mark the moment of the report and its three numbers, in a drawing, in words and as a table', async () => {
    const visit = await open([0.3, 0.35, 0.6]);
    const { page } = visit;
    const part = page.getByRole('region', { name: 'The price since', exact: true });
    const drawing = part.getByRole('img', {
      name: /^Past prices of .+ From 30 % .+ to 60 % .+ market .+, council /,
    });
    const numbers = ['market', 'council', 'estimate'];
    const circles = await drawing.locator('circle').all();
    expect(await Promise.all(circles.map(circle => circle.getAttribute('class')))).toEqual(numbers);
    expect(await drawing.locator('line.moment').count()).toBe(1);
    const text = (await part.innerText()).replaceAll('\u00a0', ' ');
    expect(text).toMatch(/Since the report, the price rose from \d/);
    expect(text).toMatch(/The line marks the report of .+: market .+ %, council .+ %, estimate .+ %\./);
    await part.getByText('Prices as a table').click();
    const rows = part.getByRole('table', { name: 'Past prices of YES' }).getByRole('row');
    expect((await rows.allInnerTexts()).map(row => row.split('\t').at(-1)?.trim())).toEqual([
      'Price',
      '30\u00a0%',
      '35\u00a0%',
      '60\u00a0%',
    ]);
    await expectSoundPage(visit);
  });

  test('are listed on the page if there are any, after the numbers, and otherwise are no part of it', async () => {
    const { page } = await open([0.3, 0.35]);
    expect((await contentsOf(page)).slice(0, 3)).toEqual([
      'Estimate, council and market',
      'The price since',
      'Verdict and bets',
    ]);
    await page.getByRole('link', { name: 'The price since' }).click();
    expect(await page.locator('h2#price-since').isVisible()).toBe(true);
    const without = await open([]);
    expect(await contentsOf(without.page)).not.toContain('The price since');
    expect(await without.page.locator('#price-since').count()).toBe(0);
  });
});
