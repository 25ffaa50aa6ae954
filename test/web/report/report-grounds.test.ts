import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ReportView } from '../../../contract/reports.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectFitsPhoneWhenOpened } from '../../support/browser/expect-fits-phone.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs } from '../../support/browser/visit-as.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { asOfFirstRelease, showVersion, withUsualTexts } from './document-fixture.js';

const service = await usePageService({ researchDeadlineMs: 20_000 });

describeInBrowser('the grounds of a report', browser => {
  let caller: TestCaller;
  let report: ReportView;
  beforeAll(async () => {
    caller = await service.newCaller(1_000);
    report = await caller.run('sample-fed-cut-2031');
  });

  async function open() {
    const visit = await visitAs(browser, caller, `/reports/${report.id}`);
    await visit.page.locator('#provenance').waitFor();
    return visit;
  }

  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');

  test('lead from the base rates of the members to the estimate, each with its count', async () => {
    const visit = await open();
    const { page } = visit;
    const { runtime } = report.council_config;
    const opinions = report.deliberation?.opinions ?? [];
    const [view] = runtime?.outside_view ?? [];
    const steps = await page.locator('.view-path li').allInnerTexts();
    expect(steps.map(step => plain(step).split(/\s+(?=[\d.]+ %)/))).toEqual([
      ['Outside view', `${view?.probability} %`],
      ['Council', `${runtime?.market_probabilities['Yes']} %`],
      ['Market', `${runtime?.market_implied_probabilities['Yes']} %`],
      ['Estimate', `${runtime?.estimate?.probabilities['Yes']} %`],
    ]);
    const rows = page.locator('.base-rates tbody tr');
    const rates = opinions.flatMap(({ base_rates: all }) => all);
    expect(rates.length).toBeGreaterThan(3);
    const shown = (await rows.locator('td').allInnerTexts()).map(plain);
    expect(shown.toSorted()).toEqual(
      rates.flatMap(({ k, n, rate }) => [`${k} of ${n}`, `${rate} %`]).toSorted(),
    );
    await expectSoundPage(visit);
  });

  test('name what would change the forecast, with the members’ own numbers', async () => {
    const { page } = await open();
    const triggers = report.deliberation?.synthesis?.triggers ?? [];
    expect(triggers.length).toBeGreaterThan(0);
    const lines = await page.locator('.triggers li').allInnerTexts();
    for (const [index, { if: condition, to }] of triggers.entries()) {
      const line = plain(lines[index] ?? '');
      expect(line).toContain(condition);
      for (const percent of Object.values(to)) expect(line).toContain(`${percent} %`);
    }
  });

  test('show the range, the risk and what would change it in the column of a member', async () => {
    const { page } = await open();
    const claude = report.deliberation?.opinions.find(({ model }) => model === 'claude');
    const column = plain(await part(page, 'Claude').innerText());
    expect(column).toContain(`${claude?.range?.low} % to ${claude?.range?.high} % (80 % range)`);
    expect(column).toContain(`Resolution risk: ${claude?.resolution_risk} %`);
    for (const { if: condition, to } of claude?.would_change ?? []) {
      expect(column).toContain(`${to} % if by`);
      expect(column).toContain(condition);
    }
    const risk = plain(await part(page, 'Verdict and bets').innerText());
    expect(risk).toContain(`Resolution risk\n${report.council_config.runtime?.resolution_risk} %`);
  });

  test('say that the reasons of a gap were written with the price in view, or were lost', async () => {
    const visit = await open();
    const { page } = visit;
    const gap = { outcome: 'Yes', council: 30, market: 46.5, points: 16.5 };
    const usual = withUsualTexts(report);
    const { runtime } = usual.council_config;
    if (runtime === null) throw new Error('the report has not completed');
    const config = { ...usual.council_config, runtime: { ...runtime, market_gap: gap } };
    await showVersion(page, { ...usual, council_config: config });
    const text = plain(await part(page, 'Why the market differs').innerText());
    expect(text).toContain('On “Yes” the council says 30 %, the market 46.5 %: 16.5 points apart.');
    expect(text).toMatch(
      /What the market may know\s+Market: the .*What the council may know\s+Council: the /s,
    );
    expect(text).toMatch(/Written by GPT with the price in view, after all forecasts were final/);
    await expectSoundPage(visit);
    await page.unroute('**/api/reports/*');
    const lost = { ...report, council_config: config };
    await showVersion(page, lost);
    expect(await part(page, 'Why the market differs').innerText()).toMatch(/16\.5 points apart.*lost/s);
  });

  test('are missing from a report of 1.0.0, which shows everything else', async () => {
    const visit = await open();
    const { page } = visit;
    await showVersion(page, asOfFirstRelease(report));
    expect(await page.locator('article').getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Estimate, council and market',
      'Verdict and bets',
      'Summary',
      'Sources',
      'Members',
      'How it is calculated',
    ]);
    const text = await page.locator('article').innerText();
    expect(text).not.toMatch(/outside view|80 % range|resolution risk|would change|further day/i);
    await expectSoundPage(visit);
  });

  test('are plain text, and fit a phone however long they are', async () => {
    const { page, troubles } = await open();
    const hostile = `<img src=x onerror="document.title='owned'"> **bold** [link](javascript:alert(1)) ${'W'.repeat(400)}`;
    await showVersion(
      page,
      JSON.parse(
        JSON.stringify(withUsualTexts(report)).replaceAll(
          'the committee',
          JSON.stringify(hostile).slice(1, -1),
        ),
      ),
    );
    expect(await page.locator('article').locator('img, script, strong:text("bold")').count()).toBe(0);
    await expectFitsPhoneWhenOpened(page);
    expect(await page.title()).not.toBe('owned');
    expect(troubles).toEqual([]);
  });
});
