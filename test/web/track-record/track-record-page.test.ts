import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import type { TrackRecordView } from '../../../contract/track-record.js';
import type { Visit } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { plantTrackRecord } from '../../support/record/plant-track-record.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const recordOf = async ({ url }: TestService): Promise<TrackRecordView> =>
  (await fetch(`${url}/api/stats/track-record`)).json() as Promise<TrackRecordView>;

/** The cells of every row of a table below a heading. */
async function rowsUnder({ page }: Visit, heading: string, table = 0): Promise<string[][]> {
  const rows = page
    .getByRole('region', { name: heading, exact: true })
    .locator('table')
    .nth(table)
    .locator('tbody tr');
  const cells = await Promise.all((await rows.all()).map(row => row.locator('th, td').allInnerTexts()));
  return cells.map(row => row.map(text => text.replaceAll(/\s+/g, ' ').trim()));
}

/** Formats figures independently of the code under test. */
const fixed = (value: number | null, digits = 3) => (value ?? Number.NaN).toFixed(digits);
const plus = (value: number | null, digits = 3) => {
  const text = fixed(Math.abs(value ?? Number.NaN), digits);
  return Number(text) === 0 ? text : `${(value ?? 0) < 0 ? '−' : '+'}${text}`;
};
const percent = (value: number | null) => `${fixed((value ?? Number.NaN) * 100, 1).replace('.0', '')} %`;
const scores = (name: string, { brier, log_score, hit_rate, n, events }: TrackRecordView['council']) => [
  `${name} ${n} reports, ${events} events`,
  fixed(brier),
  fixed(log_score),
  percent(hit_rate),
];

describeInBrowser('the track record page', browser => {
  let service: TestService;
  const open = (like = {}) => browser.visit(`${service.url}/track-record`, like);

  beforeAll(async () => {
    service = await startTestService({ worker: false, pages: await loadPageRenderer() });
  });
  afterAll(() => service.stop());

  describe('before anything is graded', () => {
    test('says so, shows the counts and no figures', async () => {
      const visit = await open();
      const text = await visit.page.locator('main').innerText();
      expect(text).toContain('Nothing has been graded yet');
      expect(text).toContain((await recordOf(service)).verdict_text.replaceAll(' %', '\u00a0%'));
      expect(await visit.page.locator('main table').count()).toBe(0);
      await expectSoundPage(visit);
    });
  });

  describe('with a few events', () => {
    beforeAll(() => plantTrackRecord(service.database, 12));

    test('says that it is still collecting and draws no conclusion', async () => {
      const visit = await open();
      const text = await visit.page.locator('main').innerText();
      expect(text).toContain('Still collecting');
      expect(new Set(await visit.page.locator('.comparison').allInnerTexts())).toEqual(
        new Set(['too few events']),
      );
      await expectSoundPage(visit);
    });
  });

  describe('with hundreds of reports', () => {
    let record: TrackRecordView;
    beforeAll(async () => {
      await plantTrackRecord(service.database, 300);
      record = await recordOf(service);
    });

    test('can be read without JavaScript', async () => {
      const visit = await open({ javaScriptEnabled: false });
      const text = await visit.page.locator('main').innerText();
      expect(text).toContain(record.verdict_text.replaceAll(' %', '\u00a0%'));
      expect(text).toContain('SIMULATED');
      expect(await rowsUnder(visit, 'Council, market, blend and estimate')).toEqual([
        scores('Council', record.council),
        scores('Market', record.market),
        scores('Blend', record.blend),
        scores('Estimate', record.estimate),
      ]);
    });

    test('every score is that of the API', async () => {
      const visit = await open();
      expect(await rowsUnder(visit, 'Council, market, blend and estimate')).toEqual([
        scores('Council', record.council),
        scores('Market', record.market),
        scores('Blend', record.blend),
        scores('Estimate', record.estimate),
      ]);
      const { claude, gpt, gemini, grok, mean } = record.by_model;
      expect(await rowsUnder(visit, 'Member by member')).toEqual([
        scores('Claude', claude),
        scores('GPT', gpt),
        scores('Gemini', gemini),
        scores('Grok', grok),
        scores('Average', mean),
      ]);
      const counted = await visit.page.locator('.counts .count').allInnerTexts();
      const { completed, graded, pending, void: off, fifty_fifty, disputed, failed } = record.counts;
      expect(counted.map(Number)).toEqual([completed, graded, pending, off, fifty_fifty, disputed, failed]);
      expect(await visit.page.locator('.hash').innerText()).toBe(record.record.head);
      expect(visit.troubles).toEqual([]);
    });

    test('every difference is that of the API, and a sequence around zero is not distinguishable', async () => {
      const visit = await open();
      type Compared = Pick<
        TrackRecordView['paired_difference'],
        'n' | 'events' | 'mean' | 'confidence_sequence_95'
      >;
      const compared = (name: string, of: Compared, briers: readonly (number | null)[], better: string) => {
        const [low, high] = of.confidence_sequence_95 ?? [0, 0];
        const words =
          of.events < 30
            ? 'too few events'
            : low <= 0 && high >= 0
              ? 'not distinguishable'
              : high < 0
                ? better
                : 'market better';
        return [
          `${name} ${of.n} reports, ${of.events} events`,
          briers.map(brier => fixed(brier)).join(' '),
          `${plus(of.mean)} ${plus(low)} to ${plus(high)} ${words}`,
        ];
      };
      const line = (name: string, of: TrackRecordView['paired_difference']) =>
        compared(name, of, [of.council_brier, of.market_brier], 'council better');
      const { by_action: action, by_flag: flag } = record;
      expect(record.verdict_text).toContain('not distinguishable');
      expect(await rowsUnder(visit, 'Was the council better than the market?')).toEqual([
        line('All reports', record.paired_difference),
        line('First report of each event', record.first_report_per_event.paired_difference),
      ]);
      const { estimate_difference: estimate, review } = record;
      expect(await rowsUnder(visit, 'Was the council better than the market?', 1)).toEqual([
        compared(
          'All reports',
          estimate,
          [estimate.estimate_brier, estimate.market_brier],
          'estimate better',
        ),
      ]);
      expect(await rowsUnder(visit, 'Was the council better than the market?', 2)).toEqual([
        compared('All reports', review, [review.council_brier, review.first_council_brier], 'review helped'),
      ]);
      expect(await rowsUnder(visit, 'By action and by flag')).toEqual([
        line('Buy yes', action.BUY_YES.paired_difference),
        line('Buy no', action.BUY_NO.paired_difference),
        line('Skip', action.SKIP.paired_difference),
      ]);
      expect(await rowsUnder(visit, 'By action and by flag', 1)).toEqual([
        line('Degraded', flag.degraded.paired_difference),
        line('Not degraded', flag.not_degraded.paired_difference),
        line('In conflict', flag.conflict.paired_difference),
        line('Not in conflict', flag.no_conflict.paired_difference),
      ]);
    });

    test('searched and unsearched reports are apart, each with its distance from the market', async () => {
      const visit = await open();
      const line = (name: string, of: TrackRecordView['by_evidence']['searched']) => {
        const { paired_difference: paired, estimate, market_distance_points: apart } = of;
        const brier = (value: number | null) => (value === null ? '– none' : fixed(value));
        const [low = null, high = null] = apart.interval_95 ?? [];
        return [
          `${name} ${paired.n} reports, ${paired.events} events`,
          `council ${brier(paired.council_brier)} market ${brier(paired.market_brier)} estimate ${brier(estimate.brier)}`,
          apart.mean === null ? '– none' : `${fixed(apart.mean, 1)} ${fixed(low, 1)} to ${fixed(high, 1)}`,
        ];
      };
      const { searched, partial, none, not_searched: not } = record.by_evidence;
      expect(searched.market_distance_points.events).toBeGreaterThan(none.market_distance_points.events);
      expect(not.market_distance_points.events).toBeGreaterThan(30);
      expect(partial.paired_difference.n).toBe(0);
      expect(await rowsUnder(visit, 'With and without research')).toEqual([
        line('Searched', searched),
        line('Some searches failed', partial),
        line('Nothing found', none),
        line('Not searched', not),
      ]);
      expect(await visit.page.locator('main').innerText()).toContain('suspect that prices leak');
    });

    test('the returns of bets are those of the API, in cents per dollar', async () => {
      const visit = await open();
      const { bets } = record;
      const rows = await rowsUnder(visit, 'Returns of the bets');
      const expected = [bets, bets.by_kind.edge, bets.by_kind.pick].map(of => [
        `${of.n} bets, ${of.events} events`,
        `${plus((of.mean_return_per_dollar ?? 0) * 100, 1)} ¢ ${plus((of.confidence_sequence_95?.[0] ?? 0) * 100, 1)} ¢ to ${plus((of.confidence_sequence_95?.[1] ?? 0) * 100, 1)} ¢`,
      ]);
      expect(rows).toHaveLength(3);
      for (const [index, [count = '', returns = '']] of expected.entries()) {
        expect(rows[index]?.[0]).toContain(count);
        expect(rows[index]?.[1]).toContain(returns);
      }
      const points = (value: number | null | undefined) => plus((value ?? 0) * 100, 1);
      expect(await rowsUnder(visit, 'Returns of the bets', 1)).toEqual(
        Object.entries({ 'All bets': bets, 'Edge bets': bets.by_kind.edge, Picks: bets.by_kind.pick }).map(
          ([name, { claims }]) => [
            `${name} ${claims.n} bets, ${claims.events} events`,
            percent(claims.claimed_win_rate),
            percent(claims.actual_win_rate),
            `${points(claims.mean)} ${points(claims.confidence_sequence_95?.[0])} to ${points(claims.confidence_sequence_95?.[1])}`,
          ],
        ),
      );
    });

    test('the calibration plot has a point for every bin with outcomes, and its table has every bin', async () => {
      const visit = await open();
      const full = record.calibration.filter(({ n }) => n > 0);
      expect(await visit.page.locator('.calibration .bin circle').count()).toBe(full.length);
      await visit.page.getByText('Show as a table').click();
      const rows = await rowsUnder(visit, 'Does 70 % mean seven in ten?');
      expect(rows).toEqual(
        record.calibration.map(bin => [
          `${(bin.from * 100).toFixed(0)}–${(bin.to * 100).toFixed(0)} %`,
          `${bin.n} ${bin.events} ${bin.events === 1 ? 'event' : 'events'}`,
          bin.n === 0 ? '– none' : percent(bin.mean_probability),
          bin.n === 0
            ? '– none'
            : `${percent(bin.share_happened)} ${percent(bin.interval_95?.[0] ?? null)} to ${percent(bin.interval_95?.[1] ?? null)}`,
        ]),
      );
      await expectSoundPage(visit);
    });

    test('links to the rows behind the figures', async () => {
      const { page } = await open();
      const href = await page.getByRole('link', { name: 'Download the rows (JSON)' }).getAttribute('href');
      const rows = (await (await fetch(`${service.url}${href}`)).json()) as { reports: unknown[] };
      const { completed, pending } = record.counts;
      expect(rows.reports).toHaveLength(completed - pending);
    });
  });
});

describeInBrowser('the track record of a council that is worse than the market', browser => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ worker: false, pages: await loadPageRenderer() });
    await plantTrackRecord(service.database, 200, { council: 90, market: 2 });
  });
  afterAll(() => service.stop());

  test('says so in the verdict and in the comparison', async () => {
    const visit = await browser.visit(`${service.url}/track-record`);
    const rows = await rowsUnder(visit, 'Was the council better than the market?');
    expect(rows[0]?.[2]).toContain('market better');
    expect(await visit.page.locator('.verdict').innerText()).toContain('worse than the market');
    await expectSoundPage(visit);
  });
});
