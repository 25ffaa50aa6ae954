import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyRecord } from '../../../db/track-record/verify-record.js';
import { redoNumbers } from '../../support/dump/redo-numbers.js';
import { startBatch } from '../../support/record/regrade-batch.js';
import { runRound } from '../../support/service/run-maintenance.js';
import { decisions, soldKinds } from './kalshi-kinds.js';
import {
  betInWords,
  betsOf,
  decisionsOf,
  gradeOf,
  onPage,
  overMcp,
  percentsOf,
  quotesOf,
} from './read-answers.js';
import { useSurfaces, wordsOf } from './surfaces.js';

const { service, venues, page, reportPage, command, tools, script } = await useSurfaces();

beforeAll(async () => {
  expect(await runRound(service, 'fill-kalshi-index')).toMatchObject({ did: 'whole' });
});

describe.each(soldKinds)('an event of Kalshi, $kind', kind => {
  const { ticker, title, words, markets, outcomes, bets, ends, newRules, graded, ended } = kind;
  const eventId = `kalshi:${ticker}`;
  const query = `search=${encodeURIComponent(words)}`;
  let caller: Awaited<ReturnType<typeof service.newCaller>>;
  let user: Awaited<ReturnType<typeof tools>>;
  let reportId = 0;

  beforeAll(async () => {
    caller = await service.newCaller(1_000);
    user = await tools(caller);
  });

  const readReport = async () => (await caller.get(`/api/reports/${reportId}`)).body;
  const reportTexts = async () => [
    (await command(caller, 'report', 'show', String(reportId))).out,
    (await user.call('get_report', { report_id: reportId })).text,
  ];

  test('is found by words and by category', async () => {
    const { body } = await caller.get(`/api/events?${query}`);
    expect([body.events.map((event: any) => event.event_id), body.unavailable]).toEqual([[eventId], []]);
    const chosen = await caller.get(`/api/events?venue=kalshi&category=${kind.category}`);
    expect(chosen.body.events.map((event: any) => event.event_id)).toContain(eventId);
    const html = await page(`/?${query}`);
    expect(html).toContain(`href="/events/${encodeURIComponent(eventId)}"`);
    expect(wordsOf(html)).toContain(`|${title}|`);
    expect(wordsOf(html)).toContain(' traded on Kalshi · closes ');
    expect((await user.call('search_events', { search: words })).text).toContain(`- ${eventId}: “${title}”`);
  });

  test('is shown with its prices', async () => {
    const { body } = await caller.get(`/api/events/${eventId}`);
    expect(body).toMatchObject({ venue: 'kalshi', title, exclusive: kind.exclusive, status: 'open' });
    expect(quotesOf(body)).toEqual(markets);
    const shown = wordsOf(await page(`/events/${eventId}`));
    const { data, text } = await user.call('get_event', { event_id: eventId });
    expect(quotesOf(data)).toEqual(markets);
    expect(shown).toContain('contracts traded on Kalshi|');
    const sumsUp = kind.exclusive ? 'only one of these' : 'Several may come true, or none.';
    if (Object.keys(markets).length > 1) expect(shown).toContain(sumsUp);
    for (const quote of Object.values(markets)) {
      expect(shown).toContain(`${quote.yes} (or Not ${quote.yes}) |open|${onPage(quote)}|`);
      expect(text).toContain(`(YES is “${quote.yes}”): ${overMcp(quote)}, open`);
    }
  });

  test('has the past prices of each market', async () => {
    for (const [suffix, { price }] of Object.entries(markets)) {
      const { body } = await caller.get(`/api/events/${eventId}/prices?market=${ticker}-${suffix}`);
      expect(body.points.length > 0).toBe(price !== null);
    }
  });

  test('is sold to the command line, and the report is the same everywhere', async () => {
    script(Object.values(outcomes).map(([percent]) => percent));
    const elsewhere = await command(caller, 'report', 'run', words, '--venue', 'polymarket');
    expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining('No open event matches')]);
    const run = await command(caller, 'report', 'run', words, '--venue', 'kalshi', '--max-credits', '200');
    expect([run.code, run.err]).toEqual([0, expect.stringContaining(`Event   ${title} (${eventId})`)]);
    reportId = Number(/^# Report (\d+): /m.exec(run.out)?.[1]);
    const report = await readReport();
    const { runtime } = report.council_config;
    expect(runtime.market_probabilities).toEqual(percentsOf(kind, 'council'));
    expect(runtime.market_implied_probabilities).toEqual(percentsOf(kind, 'market'));
    expect(betsOf(runtime.top_bets, ticker)).toEqual('none' in bets ? [] : bets);
    const shown = wordsOf(await reportPage(report));
    expect(shown).toContain('Simulated source (https://example.org/simulated-source)');
    for (const name of Object.keys(outcomes)) expect(shown).toContain(`|${name}`);
    const texts = [run.out, ...(await reportTexts())];
    const sections = ['market_snapshot'];
    const { text: whole } = await user.call('get_report', { report_id: reportId, sections });
    expect(whole).toContain('Decided by: Simulated source <https://example.org/simulated-source>');
    for (const text of texts) for (const bet of runtime.top_bets) expect(text).toContain(betInWords(bet));
    if ('none' in bets) {
      expect(shown).toContain('No bet is suggested.');
      expect(shown).toContain(bets.none.page);
      for (const text of texts) expect(text).toContain(bets.none.text);
    }
  });

  test('is graded by the final word of Kalshi, market by market', async () => {
    for (const suffix of newRules) venues.control.changeKalshiRules(`${ticker}-${suffix}`, 'Other rules.');
    const seen = [];
    for (const { says } of ends) {
      for (const [suffix, step] of Object.entries(says))
        venues.control.moveKalshi(`${ticker}-${suffix}`, step);
      const { failures } = await (await startBatch(service, { kind: 'event', eventId })).result();
      expect(failures).toEqual([]);
      seen.push({ says, grade: gradeOf(await readReport()) });
    }
    expect(seen).toEqual(ends);
  });

  test('has a grade that all can read, with who decided, what was paid, and whether it was disputed or the rules had changed', async () => {
    const report = await readReport();
    expect(decisionsOf(report.grade, ticker)).toEqual(decisions(kind));
    const isDisputed = Object.values(decisions(kind)).some(({ wasDisputed }) => wasDisputed);
    const shown = wordsOf(await reportPage(report));
    const texts = await reportTexts();
    for (const text of [shown, ...texts]) {
      expect(text).toContain('Decided by the exchange.');
      expect(text.includes('The venue has changed the rules')).toBe(newRules.length > 0);
      expect(text.includes('The answer was disputed.')).toBe(isDisputed);
    }
    expect(shown).toContain(graded.page);
    for (const text of texts) expect(text).toContain(graded.text);
  });

  test('is shown as it ended once the kept answers are old, and is sold no more', async () => {
    service.clock.offsetMs += 60_000;
    const shown = wordsOf(await page(`/events/${eventId}`));
    for (const text of ['|Closed|', ...ended]) expect(shown).toContain(text);
    const again = await (await service.newCaller(1_000)).buy(eventId);
    expect(again).toMatchObject({ status: 409, body: { code: 'event_closed' } });
  });
});

describe('an event of Kalshi whose markets are provisional', () => {
  const eventId = 'kalshi:KXSIMPROV-31';
  const reason = /markets of this event are provisional: the venue may remove them/;

  test('is not found, and its page says why no report can be run', async () => {
    const caller = await service.newCaller(0);
    const { body } = await caller.get('/api/events?search=comet&status=all');
    expect(body).toMatchObject({ events: [], unavailable: [] });
    const shown = wordsOf(await page(`/events/${eventId}`));
    expect(shown).toContain('|Will a comet be visible by day in 2031? (simulated)|');
    expect(shown).toContain('|Not traded yet|');
    expect(shown).toContain('No report can be run yet');
    expect(shown).toContain('This event has no market yet that is certain to stay.');
    for (const untrue of ['no longer traded', '|Closed|', 'separate questions', 'Trading was scheduled']) {
      expect(shown).not.toContain(untrue);
    }
    const { text } = await (await tools(caller)).call('get_event', { event_id: eventId });
    expect(text).toContain('This event has no market yet that is certain to stay.');
    expect(text).not.toContain('Each market is');
  });

  test('is refused everywhere with the reason, and nothing is charged', async () => {
    const caller = await service.newCaller(1_000, { weeklyGrant: true });
    const bought = await caller.buy(eventId);
    expect(bought).toMatchObject({ status: 409, body: { code: 'event_closed' } });
    expect(bought.body.detail).toMatch(reason);
    const run = await command(caller, 'report', 'run', eventId, '--max-credits', '200');
    expect([run.code, run.err]).toEqual([1, expect.stringMatching(reason)]);
    const user = await tools(caller);
    const tool = await user.call('run_report', { event_id: eventId, max_credits: 200 });
    expect([tool.isError, tool.text]).toEqual([true, expect.stringMatching(reason)]);
    const { body } = await caller.get('/api/credits/balance');
    expect(body).toMatchObject({ balance_credits: 1_000, weekly_grant: { available: true } });
    expect((await caller.get('/api/reports')).body.total).toBe(0);
  });
});

describe('the record of the events above', () => {
  test('counts every report by its grade, and all its numbers can be computed again', async () => {
    const caller = await service.newCaller(0);
    const { body } = await caller.get('/api/stats/track-record');
    expect(body.counts).toMatchObject({ sold: 6, graded: 4, fifty_fifty: 1, void: 1, pending: 0, failed: 0 });
    const shown = wordsOf(await page('/track-record'));
    expect(shown).toContain('|sold|6|');
    expect(shown).toMatch(/\|graded\|4\|.*\|void\|1\|.*\|half and half\|1\|/);
    const { redone, differences } = await redoNumbers(service.database.db);
    expect([redone.reports, differences]).toEqual([6, []]);
    expect(await verifyRecord(service.database.db)).toMatchObject({ entries: 12, faults: [] });
  });
});

describe('while Kalshi does not answer', () => {
  beforeAll(() => venues.control.setFault('kalshi', 'throttle', 600_000));
  afterAll(() => venues.control.clearFaults());

  test('the other venue is searched, it is named as missing, and nothing is charged', async () => {
    const caller = await service.newCaller(1_000);
    const { body } = await caller.get('/api/events?search=rugby');
    expect(body.events.map((event: any) => event.event_id)).toEqual(['910002']);
    expect(body.unavailable).toEqual(['kalshi']);
    expect(wordsOf(await page('/?search=rugby'))).toContain('|Kalshi could not be searched now.|');
    expect(wordsOf(await page('/?search=new+element'))).toContain('|Kalshi could not be searched now.|');
    const found = await (await tools(caller)).call('search_events', { search: 'rugby' });
    expect(found.text).toContain('Could not be searched now: kalshi.');
    const run = await command(caller, 'report', 'run', 'new element');
    expect([run.code, run.err]).toEqual([1, expect.stringContaining('Could not be searched now: kalshi.')]);
    const bought = await caller.buy('kalshi:KXSIMNEW-31');
    expect(bought).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(await caller.balance()).toBe(1_000);
  });

  test('an event that was sold above is named as not graded', async () => {
    const eventId = `kalshi:${soldKinds[0]?.ticker}`;
    const { failures } = await (await startBatch(service, { kind: 'event', eventId })).result();
    expect(failures).toEqual([{ subject: 'event', id: eventId, reason: 'market_unavailable' }]);
  });
});

test('the ended events are found among the closed ones once Kalshi answers again and the index is filled', async () => {
  service.clock.offsetMs += 600_000;
  expect(await runRound(service, 'fill-kalshi-index')).toMatchObject({ did: 'changes' });
  const caller = await service.newCaller(0);
  const found = async (status: string) => {
    const { body } = await caller.get(`/api/events?venue=kalshi&status=${status}`);
    return body.events.map((event: any) => event.event_id).sort();
  };
  expect(await found('open')).toEqual([]);
  expect(await found('closed')).toEqual(soldKinds.map(({ ticker }) => `kalshi:${ticker}`).sort());
});
