import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { EvidenceView } from '../../../contract/deliberation.js';
import type { MarketEvent } from '../../../council/event.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectFitsPhoneWhenOpened } from '../../support/browser/expect-fits-phone.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { openDetails } from '../../support/browser/open-details.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { signIn, visitAs } from '../../support/browser/visit-as.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { scriptCouncil } from '../../support/service/script-council.js';
import { evidence, hostileSources, showWithEvidence } from './evidence-fixture.js';

const events = createSampleEventCopies();
const derby = 'sample-ridge-derby-2031';
const textOf = (page: Page) => page.locator('main').innerText();
const withEndlessNames = (event: MarketEvent): MarketEvent => ({
  ...event,
  title: 'Endless'.repeat(40),
  markets: event.markets.map((market, index) => ({ ...market, name: `${'Endless'.repeat(40)}${index}` })),
});
const percentShown = /\d(\.\d)?\u00a0%/;

const service = await usePageService({ markets: events });

describeInBrowser('the report page', browser => {
  afterEach(() => service.simulator.clearFaults());

  async function buy(sampleId: string, change?: (event: MarketEvent) => MarketEvent) {
    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy(events.retell(sampleId, change));
    return { caller, report: await caller.untilEnded(body.report_id) };
  }

  async function open({ caller, report }: Awaited<ReturnType<typeof buy>>) {
    const visit = await visitAs(browser, caller, `/reports/${report.id}`);
    await visit.page.locator('.report h2').first().waitFor();
    return { caller, report, visit, text: await textOf(visit.page) };
  }

  /** Buys a report, waits for it, and opens its page. */
  const read = async (...event: Parameters<typeof buy>) => open(await buy(...event));

  let shared: Awaited<ReturnType<typeof buy>>;
  beforeAll(async () => {
    scriptCouncil(service, { percents: { 'Eastmoor United': 55, Draw: 10, 'Wexley Rovers': 35 } });
    shared = await buy(derby);
    service.simulator.clearFaults();
  });

  /** The page of the shared report, as if its members had searched and found this. */
  async function readSearched(found: EvidenceView) {
    const { report, visit } = await open(shared);
    await showWithEvidence(visit.page, report, found);
    return { visit, page: visit.page, text: await textOf(visit.page) };
  }

  test('each claim leads to what it cites and back, and own knowledge stands apart', async () => {
    const { visit, page, text } = await readSearched(evidence);
    const claude = page.getByRole('region', { name: 'Claude' });
    expect(await claude.getByRole('list').first().innerText()).toBe('Prices rose by 2.9 percent. S2S1');
    expect(await claude.innerText()).toMatch(/Own knowledge, no source\s+Committees rarely cut early\.\s/);
    await claude.getByRole('link', { name: 'S2' }).click();
    const source = page.locator('.sources li:target');
    expect((await source.innerText()).split(/\n+/)).toEqual([
      'S2',
      'Consumer prices in October',
      'statistics.example.org, 12 Nov 2026',
      'Consumer prices rose 2.9 percent in the year to October.',
      'Found by Grok. Cited by Claude, Gemini, GPT, Grok.',
    ]);
    const address = 'https://statistics.example.org/prices/october';
    expect(await source.locator(`a[href="${address}"][rel~=nofollow][rel~=noopener]`).count()).toBe(1);
    await source.getByRole('link', { name: 'Claude' }).click();
    expect(await claude.locator('li:target').innerText()).toContain('Prices rose by 2.9 percent.');
    expect(text).toMatch(/2 sources, 7 searches\. Cited, not verified/);
    expect(text).toMatch(/Left out: 2 pages of .* and 3 statements .* must not see a price; 1 repeat/);
    expect(text).toContain('centralbank.example.org, undated');
    expect(text).toContain('a statement of <b>two</b> members. Searched by Claude and Grok.');
    await page.getByText('e'.repeat(64)).waitFor();
    await expectSoundPage(visit);
  });

  test('that nothing was found is said before any number, with the searches that failed', async () => {
    const none = { status: 'none', items: [], failures: { gpt: 'timed out after 30 s' } } as const;
    const { page, text } = await readSearched({ ...evidence, ...none, items: [] });
    const [before] = text.split(percentShown, 1);
    expect(before).toMatch(/No sources\s+The members’ searches .*GPT timed out after 30 s.*confidence/);
    expect(await page.locator('.sources, .citation').count()).toBe(0);
  });

  test('a source with a hostile title or address is text, and is not linked', async () => {
    const { visit, page, text } = await readSearched({
      ...evidence,
      items: [...evidence.items, ...hostileSources],
      status: 'partial',
      failures: { gpt: 'refused to answer' },
    });
    const links = page.locator('.sources a:not([href^="#"])');
    expect(await links.evaluateAll(all => all.map(String))).toEqual(evidence.items.map(({ url }) => url));
    for (const { title, url } of hostileSources) {
      expect(text).toContain(title ?? 'Untitled');
      expect(text).toContain(`Not linked, because its address is not plain https: ${url}`);
    }
    expect(await page.locator('article').locator('img, script, strong:text("bold")').count()).toBe(0);
    expect(text).toContain('Searches that failed: GPT refused to answer.');
    await expectFitsPhoneWhenOpened(page);
    expect(visit.troubles).toEqual([]);
  });

  test('a conflict is shown before any number, the estimate leads all the same, and no bet is suggested', async () => {
    scriptCouncil(service, { percents: { 'Eastmoor United': 5, Draw: 5, 'Wexley Rovers': 90 } });
    const { report, visit, text } = await read(derby);
    expect(report.council_config.runtime.consensus_market_conflict).toBe(true);
    const caution = text.indexOf('Council and market are in conflict');
    expect(caution).toBeGreaterThan(-1);
    expect(caution).toBeLessThan(text.search(percentShown));
    const { estimate, most_likely_outcome: headline } = report.council_config.runtime;
    expect(headline).toBe('Eastmoor United');
    const led = estimate.probabilities['Wexley Rovers'];
    expect(text.replaceAll('\u00a0', ' ')).toMatch(
      new RegExp(
        `Most likely\\s+Wexley Rovers\\s+Estimate\\s+${led} %\\s+Council\\s+9[\\d.]+ %\\s+Market\\s+[\\d.]+ %`,
      ),
    );
    expect(text).toMatch(/The market’s favourite is Eastmoor United with 46\.5/);
    expect(text).toContain('No bet is suggested. Council and market are in conflict');
    expect(text).not.toMatch(/not act on/i);
    expect(await visit.page.locator('.bets').count()).toBe(0);
    await openDetails(visit.page);
    await expectSoundPage(visit);
  });

  test('a lost model is named before the headline, with the stage and the effect', async () => {
    const { simulator } = service;
    simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'refusal' });
    simulator.setFault({ model: 'gpt', stage: 'cross_review' }, { kind: 'http', status: 401 });
    simulator.setFault({ model: 'claude', stage: 'synthesis' }, { kind: 'invalid_json' });
    const { visit, text } = await read('sample-song-contest-2031');
    const headline = text.indexOf('Most likely');
    for (const loss of [
      'Three of four members gave a forecast',
      'Grok: refused to answer at opinions; its forecast is missing from every number.',
      'GPT: was not authorised at cross-review; its first opinion counts',
    ]) {
      expect([loss, text.indexOf(loss) > -1, text.indexOf(loss) < headline]).toEqual([loss, true, true]);
    }
    // A chairman is no member: it is named where the summary is, and not among the limits.
    expect(text.indexOf('at synthesis')).toBeGreaterThan(headline);
    const author = 'Written by Gemini, the chairman, after Claude gave an invalid answer.';
    expect(text.indexOf(author)).toBeGreaterThan(headline);
    await expectSoundPage(visit);
  });

  test('texts of models are rendered as plain text', async () => {
    const hostile = `<img src=x onerror="document.title='owned'"><script>alert(1)</script> **bold** [link](javascript:alert(1)) ${'W'.repeat(400)}`;
    scriptCouncil(service, {
      percents: { 'Eastmoor United': 45, Draw: 25, 'Wexley Rovers': 30 },
      words: hostile,
    });
    const { visit } = await read(derby);
    const { page } = visit;
    await openDetails(page);
    const article = page.locator('article');
    expect((await article.innerText()).split('<img src=x onerror=').length - 1).toBeGreaterThan(20);
    expect(await article.locator('img, script, strong:text("bold"), a:text("link")').count()).toBe(0);
    await expectFitsPhoneWhenOpened(page);
    expect(await page.title()).toContain('Ridge Derby');
    expect(visit.troubles).toEqual([]);
  });

  test('the numbers are those of the API, every bet shows its calculation, and what is simulated says so first', async () => {
    const { report, visit, text } = await open(shared);
    expect(text.indexOf('SIMULATED')).toBeGreaterThan(-1);
    expect(text.indexOf('SIMULATED')).toBeLessThan(text.indexOf('Most likely'));
    const { runtime } = report.council_config;
    const table = visit.page.getByRole('table', { name: 'Probabilities in percent' });
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      expect.stringContaining('Outcome'),
      'Estimate',
      'Council',
      'Market',
    ]);
    for (const [outcome, percent] of Object.entries<number>(runtime.market_probabilities)) {
      const row = table.getByRole('row', { name: outcome });
      expect(await row.locator('td').allInnerTexts()).toEqual([
        `${runtime.estimate.probabilities[outcome]}\u00a0%`,
        `${percent}\u00a0%`,
        `${runtime.market_implied_probabilities[outcome]}\u00a0%`,
      ]);
    }
    const [best] = runtime.top_bets;
    const cents = (dollars: number) => `${(dollars * 100).toFixed(1).replace(/\.0$/, '')}\u00a0¢`;
    const ofSide = (yes: number) => (best.side === 'BUY_YES' ? yes : Number((100 - yes).toFixed(1)));
    expect(best.win_probability).toBe(ofSide(runtime.estimate.probabilities[best.market]));
    expect(text).toContain(`council ${ofSide(best.consensus_probability)}\u00a0%, market`);
    expect(text).toContain(`Edge: ${best.win_probability}\u00a0% (estimate) − `);
    expect(text).toContain(`A share costs ${cents(best.share_cost)}, fee included.`);
    expect(await visit.page.locator('.bets > li').count()).toBe(runtime.top_bets.length);
    expect(text).toContain(`${report.confidence} of at most 85`);
    expect(text).toContain(report.disclaimer);
  });

  test('the estimate is explained by its formula and weights, and leads to its scores', async () => {
    const { report, visit, text } = await open(shared);
    expect(text).toMatch(/Council: .*All were made without seeing a price/);
    expect(text).toMatch(/Estimate: .*act on this number/);
    const { weights } = report.council_config.runtime.estimate;
    const calculation = await visit.page.getByRole('region', { name: 'How it is calculated' }).innerText();
    expect(calculation).toContain(`log estimate = ${weights.coefficients.market} · log market + `);
    expect(calculation).toContain(weights.id);
    expect(calculation).toContain(weights.sha256);
    await expectSoundPage(visit);
    await visit.page.getByRole('link', { name: 'How good each number has been' }).click();
    await visit.page.waitForURL('**/track-record#scores');
  });

  test.each<[what: string, sampleId: string, change?: (event: MarketEvent) => MarketEvent]>([
    ['forty outcomes', 'sample-expo-host-2031'],
    ['independent questions', 'sample-oil-ladder-2031'],
    ['two named sides', 'sample-harbour-cup-final-2031'],
    ['no price at all', 'sample-warm-superconductor-2032'],
    ['endless names and title', derby, withEndlessNames],
  ])('a report on an event with %s is accessible and fits a phone', async (_what, sampleId, change) => {
    const { visit, report, text } = await read(sampleId, change);
    expect(report.status).toBe('completed');
    const { estimate } = report.council_config.runtime;
    expect(text.includes('There is no estimate to price a bet by')).toBe(estimate === null);
    expect(text).toMatch(
      estimate === null
        ? /Council\s+[\d.]+\u00a0%\s+Market\s+(none|[\d.]+\u00a0%)\s+There is no estimate, because .*, so the number is the council’s/
        : /Estimate\s+[\d.]+\u00a0%\s+Council\s+[\d.]+\u00a0%\s+Market\s+[\d.]+\u00a0%/,
    );
    await expectSoundPage(visit);
    await expectFitsPhoneWhenOpened(visit.page);
  });

  test('a failed run shows the reason and the refund', async () => {
    service.simulator.setFault({ stage: 'opinions' }, { kind: 'http', status: 403 });
    const { caller, visit, text } = await read(derby);
    const [refund] = await caller.ledger();
    expect(text).toContain('Too few models gave a valid opinion.');
    await visit.page
      .getByText(`Your charge was refunded in full: ${refund.amount_credits} credits`)
      .waitFor();
    expect(await caller.balance()).toBe(1_000);
    await expectSoundPage(visit);
  });

  test('a report of another account, an unknown id and an invalid id are not found', async () => {
    const { report } = shared;
    const other = await service.newCaller();
    for (const id of [report.id, 999_999, 'x1']) {
      const visit = await visitAs(browser, other, `/reports/${id}`);
      await visit.page.getByRole('heading', { name: 'Report not found' }).waitFor();
      expect(await textOf(visit.page)).not.toContain(report.event_title);
      if (id === report.id) await expectSoundPage(visit);
    }
  });

  test('a visitor is asked to sign in, and returns to the report', async () => {
    const { caller, report } = shared;
    const visit = await browser.visit(`${service.url}/reports/${report.id}`);
    const { page } = visit;
    await expectSoundPage(visit);
    await page.locator('main').getByRole('link', { name: 'Sign in' }).click();
    await signIn(visit, caller.email);
    await page.getByRole('heading', { name: report.event_title }).waitFor();
  });
});
