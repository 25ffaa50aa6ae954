import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TrackRecordView } from '../../../contract/track-record.js';
import {
  type ComparisonTexts,
  comparisonOf,
  estimateTexts,
  leftOutTexts,
  outsideViewTexts,
  reviewTexts,
  scoreTexts,
} from '../../../web/track-record/comparison.js';
import {
  counted,
  difference,
  distanceText,
  dollarsOf,
  gain,
  points,
  range,
  score,
  share,
} from '../../../web/track-record/format-figures.js';
import type { Visit } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { plantTrackRecord } from '../../support/record/plant-track-record.js';
import type { TestService } from '../../support/service/test-service.js';

const service = await usePageService({ worker: false });
const worse = await usePageService({ worker: false });

const recordOf = async ({ url }: TestService): Promise<TrackRecordView> =>
  (await fetch(`${url}/api/stats/track-record`)).json() as Promise<TrackRecordView>;

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
/** What a cell shows: figures, each `– none` where there is none. */
const cell = (...figures: (string | null)[]) => plain(figures.map(figure => figure ?? '– none').join(' '));

/** The cells of every row of a table below a heading. */
async function rowsUnder({ page }: Visit, heading: string, table = 0): Promise<string[][]> {
  const rows = page
    .getByRole('region', { name: heading, exact: true })
    .locator('table')
    .nth(table)
    .locator('tbody tr');
  const cells = await Promise.all((await rows.all()).map(row => row.locator('th, td').allInnerTexts()));
  return cells.map(row => row.map(plain));
}

const sample = (name: string, of: { n: number; events: number }, what = 'report') =>
  cell(name, `${counted(of.n, what)}, ${counted(of.events, 'event')}`);

const scores = (name: string, of: TrackRecordView['council']) => [
  sample(name, of),
  cell(score(of.brier)),
  cell(score(of.log_score)),
  cell(share(of.hit_rate)),
];
const mainScores = ({ council, market, blend, estimate }: TrackRecordView) => [
  scores('Council', council),
  scores('Market', market),
  scores('Blend', blend),
  scores('Estimate', estimate),
];

type Difference = Pick<
  TrackRecordView['paired_difference'],
  'n' | 'events' | 'mean' | 'confidence_sequence_95'
>;

const compared = (name: string, of: Difference, briers: (number | null)[], texts: ComparisonTexts) => [
  sample(name, of),
  cell(...briers.map(score)),
  cell(difference(of.mean), range(of.confidence_sequence_95, difference), texts[comparisonOf(of)]),
];
const line = (name: string, of: TrackRecordView['paired_difference']) =>
  compared(name, of, [of.council_brier, of.market_brier], scoreTexts);

describeInBrowser('the track record page', browser => {
  const open = (like = {}, { url } = service) => browser.visit(`${url}/track-record`, like);
  const main = ({ page }: Visit) => page.locator('main').innerText();

  test('before anything is graded says so, shows the counts and no figures', async () => {
    const visit = await open();
    const text = await main(visit);
    expect(text).toContain('Nothing has been graded yet');
    expect(plain(text)).toContain((await recordOf(service)).verdict_text);
    expect(await visit.page.locator('main table').count()).toBe(0);
    await expectSoundPage(visit);
  });

  test('with a few events says that it is still collecting and draws no conclusion', async () => {
    await plantTrackRecord(service.database, 12);
    const visit = await open();
    expect(await main(visit)).toContain('Still collecting');
    const comparisons = await visit.page.locator('.comparison').allInnerTexts();
    expect(new Set(comparisons)).toEqual(new Set(['too few events']));
    await expectSoundPage(visit);
  });

  test('of a council that is worse than the market says so in the verdict and in the comparison', async () => {
    await plantTrackRecord(worse.database, 200, { council: 90, market: 2 });
    const visit = await open({}, worse);
    const rows = await rowsUnder(visit, 'Was the council better than the market?');
    expect(rows[0]?.[2]).toContain('market better');
    expect(await visit.page.locator('.verdict').innerText()).toContain('worse than the market');
    await expectSoundPage(visit);
  });

  describe('with hundreds of reports', () => {
    let record: TrackRecordView;
    beforeAll(async () => {
      await plantTrackRecord(service.database, 300);
      record = await recordOf(service);
    });

    test('can be read without JavaScript', async () => {
      const visit = await open({ javaScriptEnabled: false });
      const text = await main(visit);
      expect(plain(text)).toContain(record.verdict_text);
      expect(text).toContain('SIMULATED');
      expect(await rowsUnder(visit, 'Council, market, blend and estimate')).toEqual(mainScores(record));
    });

    test('every score is that of the API', async () => {
      const visit = await open();
      expect(await rowsUnder(visit, 'Council, market, blend and estimate')).toEqual(mainScores(record));
      const { claude, gpt, gemini, grok, mean } = record.by_model;
      expect(await rowsUnder(visit, 'Member by member')).toEqual([
        scores('Claude', claude),
        scores('GPT', gpt),
        scores('Gemini', gemini),
        scores('Grok', grok),
        scores('Average', mean),
      ]);
      const shown = await visit.page.locator('.counts .count').allInnerTexts();
      const { sold, completed, graded, pending, void: off, fifty_fifty, disputed, failed } = record.counts;
      expect(shown.map(Number)).toEqual([
        sold,
        completed,
        graded,
        pending,
        off,
        fifty_fifty,
        disputed,
        failed,
      ]);
      const { stamped_before_outcome, graded: judged } = record.proof;
      expect(plain(await visit.page.locator('.proof').innerText())).toContain(
        `${stamped_before_outcome} of ${judged} graded forecasts`,
      );
      expect(await visit.page.locator('.hash').innerText()).toBe(record.record.head);
      expect(visit.troubles).toEqual([]);
    });

    test('every difference is that of the API, and a sequence around zero is not distinguishable', async () => {
      const visit = await open();
      const { by_action: action, by_flag: flag, estimate_difference: estimate, review } = record;
      expect(record.verdict_text).toContain('not distinguishable');
      const better = 'Was the council better than the market?';
      expect(await rowsUnder(visit, better)).toEqual([
        line('All reports', record.paired_difference),
        line('First report of each event', record.first_report_per_event.paired_difference),
        line('Rules unchanged', record.rules_unchanged.paired_difference),
      ]);
      const { difference: ours } = record.outside_view;
      expect(ours.n).toBeGreaterThan(0);
      const rows = [
        compared('All reports', estimate, [estimate.estimate_brier, estimate.market_brier], estimateTexts),
        compared('All reports', review, [review.council_brier, review.first_council_brier], reviewTexts),
        compared('All reports', ours, [ours.council_brier, ours.outside_view_brier], outsideViewTexts),
      ];
      for (const [index, row] of rows.entries())
        expect(await rowsUnder(visit, better, index + 1)).toEqual([row]);
      expect(await rowsUnder(visit, 'By action, flag and category')).toEqual([
        line('Buy yes', action.BUY_YES.paired_difference),
        line('Buy no', action.BUY_NO.paired_difference),
        line('Skip', action.SKIP.paired_difference),
      ]);
      expect(await rowsUnder(visit, 'By action, flag and category', 1)).toEqual([
        line('Degraded', flag.degraded.paired_difference),
        line('Not degraded', flag.not_degraded.paired_difference),
        line('In conflict', flag.conflict.paired_difference),
        line('Not in conflict', flag.no_conflict.paired_difference),
      ]);
      expect(await rowsUnder(visit, 'By action, flag and category', 2)).toEqual(
        record.by_category.map(({ category, paired_difference }) => line(category ?? '', paired_difference)),
      );
    });

    test('the council without each member, and how alike the members err, are those of the API', async () => {
      const visit = await open();
      const { left_out: without, error_correlation: correlation } = record.members;
      expect(await rowsUnder(visit, 'Member by member', 1)).toEqual(
        Object.entries({ Claude: 'claude', GPT: 'gpt', Gemini: 'gemini', Grok: 'grok' } as const).map(
          ([name, member]) => {
            const { without_brier, council_brier } = without[member];
            return compared(`Without ${name}`, without[member], [without_brier, council_brier], leftOutTexts);
          },
        ),
      );
      expect(plain(await main(visit))).toContain(`correlate at ${difference(correlation.mean)} on average`);
    });

    test('what a dollar against the prices has become is that of the API', async () => {
      const visit = await open();
      const { estimate, council, bets, edge_bets: edges, picks } = record.wealth;
      const row = (name: string, of: typeof bets, what: string) => [
        sample(name, of, what),
        dollarsOf(of.log_wealth),
        dollarsOf(of.max_log_wealth),
      ];
      expect(await rowsUnder(visit, 'A dollar against the prices')).toEqual([
        row('Estimate', estimate, 'question'),
        row('Council', council, 'question'),
        row('All bets', bets, 'bet'),
        row('Edge bets', edges, 'bet'),
        row('Picks', picks, 'bet'),
      ]);
      expect(plain(await main(visit))).toContain(edges.text);
    });

    test('searched and unsearched reports are apart, each with its distance from the market', async () => {
      const visit = await open();
      const { searched, partial, none, not_searched: not } = record.by_evidence;
      expect(searched.market_distance_points.events).toBeGreaterThan(none.market_distance_points.events);
      expect(not.market_distance_points.events).toBeGreaterThan(30);
      expect(partial.paired_difference.n).toBe(0);
      const evidence = (name: string, of: typeof searched) => {
        const { paired_difference: paired, estimate, market_distance_points: apart } = of;
        const briers = {
          council: paired.council_brier,
          market: paired.market_brier,
          estimate: estimate.brier,
        };
        return [
          sample(name, paired),
          cell(...Object.entries(briers).flatMap(([by, brier]) => [by, score(brier)])),
          apart.mean === null
            ? cell(null)
            : cell(distanceText(apart.mean), range(apart.interval_95, distanceText)),
        ];
      };
      expect(await rowsUnder(visit, 'With and without research')).toEqual([
        evidence('Searched', searched),
        evidence('Some searches failed', partial),
        evidence('Nothing found', none),
        evidence('Not searched', not),
      ]);
      expect(await main(visit)).toContain('suspect that prices leak');
    });

    test('the returns of bets are those of the API, in cents per dollar', async () => {
      const visit = await open();
      const { edge, pick } = record.bets.by_kind;
      const kinds = { 'All bets': record.bets, 'Edge bets': edge, Picks: pick };
      const rows = await rowsUnder(visit, 'Returns of the bets');
      expect(await main(visit)).toContain(`has become ${dollarsOf(Math.log(record.stakes.bankroll))}`);
      expect(rows).toHaveLength(3);
      for (const [index, of] of Object.values(kinds).entries()) {
        expect(rows[index]?.[0]).toContain(sample('', of, 'bet'));
        expect(rows[index]?.[1]).toContain(
          cell(gain(of.mean_return_per_dollar), range(of.confidence_sequence_95, gain)),
        );
      }
      expect(await rowsUnder(visit, 'Returns of the bets', 1)).toEqual(
        Object.entries(kinds).map(([name, { claims }]) => [
          sample(name, claims, 'bet'),
          cell(share(claims.claimed_win_rate)),
          cell(share(claims.actual_win_rate)),
          cell(points(claims.mean), range(claims.confidence_sequence_95, points)),
        ]),
      );
    });

    test('the calibration plot has a point for every bin with outcomes, and its table has every bin', async () => {
      const visit = await open();
      const full = record.calibration.filter(({ n }) => n > 0);
      expect(await visit.page.locator('.calibration .bin circle').count()).toBe(full.length);
      await visit.page.getByText('Show as a table').click();
      expect(await rowsUnder(visit, 'Does 70 % mean seven in ten?')).toEqual(
        record.calibration.map(bin => [
          `${(bin.from * 100).toFixed(0)}–${(bin.to * 100).toFixed(0)} %`,
          `${bin.n} ${counted(bin.events, 'event')}`,
          cell(bin.n === 0 ? null : share(bin.mean_probability)),
          bin.n === 0 ? cell(null) : cell(share(bin.share_happened), range(bin.interval_95, share)),
        ]),
      );
      await expectSoundPage(visit);
    });

    test('links to the rows behind the figures', async () => {
      const { page } = await open();
      const href = await page.getByRole('link', { name: 'Download the rows (JSON)' }).getAttribute('href');
      const rows = (await (await fetch(`${service.url}${href}`)).json()) as { reports: unknown[] };
      expect(rows.reports).toHaveLength(record.counts.completed - record.counts.pending);
    });
  });
});
