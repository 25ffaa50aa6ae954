import { trackRecord } from '../../../record/figures/track-record.js';
import { gradeForecast } from '../../../record/grades/grade.js';
import { edited, found, type Lie, loser, rewritten, type World } from './lie.js';
import { type Published, resolvedAt } from './publish.js';

/** Rows and figures that are not what the entries and the market say. */
export const liesAboutNumbers: readonly Lie[] = [
  inRow('a better score', /has wrong scores\.council\.brier/, row => {
    row.scores.council.brier = 0.0001;
  }),
  inRow('another forecast', /has another outcomes than entry \d+ of the chain/, row => {
    row.outcomes[0].council = 99;
  }),
  inRow('another category', /has another category than entry/, row => {
    row.category = 'Weather';
  }),
  inRow('another outside view', /has another outside_view than entry/, row => {
    row.outside_view = [{ outcome: row.outcomes[0].name, probability: 99, members: ['claude'] }];
  }),
  inRow('other evidence', /has another evidence than entry/, row => {
    row.evidence = { status: 'searched', items: 5, sha256: 'a'.repeat(64) };
  }),
  inRow('a flipped outcome', /has other outcomes than its market answered/, row => {
    for (const outcome of row.outcomes) outcome.happened = 1 - outcome.happened;
  }),
  inRow('a flipped answer of the market', /has another answer of its market than other reports/, row => {
    const { outcomes, evidence } = row.resolution;
    for (const market of evidence.markets) {
      market.resolution = outcomes[market.market_id] === 'yes' ? 'no' : 'yes';
      outcomes[market.market_id] = market.resolution;
    }
  }),
  inRow(
    'an answer that its evidence does not have',
    /has another outcome than the evidence of market/,
    row => {
      for (const market of row.resolution.evidence.markets) market.resolution = 'void';
    },
  ),
  inRow('a state that hides a loss', /is void; by what its market answered it is graded/, row => {
    row.state = 'void';
  }),
  {
    lie: 'a bet that lost is shown as won',
    says: /has a wrong result of its bet on/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ rows }) => {
        const bet = found(rows.flatMap(row => row.bets).find(each => each.won === false));
        [bet.won, bet.return_per_dollar] = [true, bet.payout_per_dollar];
      }),
    }),
  },
  {
    lie: 'a bet that lost is shown with a smaller stake',
    says: /has another bets than entry \d+ of the chain/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ rows }) => {
        const bets = rows.flatMap(row => row.bets);
        found(bets.find(({ won, stake_fraction: stake }) => won === false && stake > 0)).stake_fraction = 0;
      }),
    }),
  },
  {
    lie: 'a larger stake on a bet, to the buyer of the report',
    says: /has another bets than entry \d+ of the chain/,
    code: 1,
    tell: ({ honest }) => {
      const saved = structuredClone(found(Object.values(honest.saved).find(hasStakes)));
      saved.council_config.runtime.top_bets[0].stake_fraction += 0.01;
      return { published: honest, saved: [saved] };
    },
  },
  {
    lie: 'a row of a report that nobody bought',
    says: /report 9999 is graded, but no entry of the chain shows its forecast/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ rows }) => rows.push({ ...rows.at(-1), report_id: 9999 })),
    }),
  },
  inFigures('a better mean', /figure council\.brier: 0\.01 in place of/, record => {
    record.council.brier = 0.01;
  }),
  inFigures('a narrower interval', /figure paired_difference\.interval_95\.0/, record => {
    record.paired_difference.interval_95 = [-0.2, -0.1];
  }),
  inFigures('a narrower sequence', /figure paired_difference\.confidence_sequence_95\.1/, record => {
    record.paired_difference.confidence_sequence_95[1] = -0.01;
  }),
  inFigures('better calibration', /figure calibration\.3\.share_happened/, record => {
    record.calibration[3].share_happened = 0.35;
  }),
  inFigures('a better slice', /figure by_flag\.conflict\.council\.brier/, record => {
    record.by_flag.conflict.council.brier = 0.1;
  }),
  inFigures('worse base rates', /figure outside_view\.difference\.outside_view_brier/, record => {
    record.outside_view.difference.outside_view_brier = 0.6;
  }),
  inFigures('better bets', /figure bets\.mean_return_per_dollar/, record => {
    record.bets.mean_return_per_dollar = 0.5;
  }),
  inFigures('a larger bankroll', /figure stakes\.bankroll: \d+/, record => {
    record.stakes.bankroll += 1;
  }),
  inFigures('faster growth', /figure stakes\.mean_log_growth/, record => {
    record.stakes.mean_log_growth = 0.2;
  }),
  inFigures('more reports', /figure council\.n: 500 in place of/, record => {
    record.council.n = 500;
  }),
  inFigures(
    'fewer failures',
    /1 simulated reports were failed, but 2 are in the chain: an entry was added/,
    record => {
      record.counts.failed = 1;
    },
  ),
  inFigures('fewer sales', /58 simulated reports were sold, but 60 are in the chain/, record => {
    record.counts.sold = 58;
  }),
  inFigures('more graded reports', /are counted as graded, but \d+ rows are exported/, record => {
    record.counts.graded += 2;
    record.counts.pending -= 2;
  }),
  inFigures('praise', /the verdict in words does not say/, record => {
    record.verdict_text = 'The council beats the market.';
  }),
  inFigures('more proof than there is', /999 forecasts are said to be stamped in time/, record => {
    Object.assign(record.proof, { stamped_before_outcome: 999, unproven: -900 });
  }),
  {
    ...inFigures(
      'a figure of its own making',
      /published figures that this program does not know: skill_of_the_house/,
      record => {
        record.skill_of_the_house = 0.99;
      },
    ),
    code: 3,
  },
  {
    lie: 'the row of a loser is dropped, and its event has another report',
    says: /report \d+ has no grade, but another report on its event has one/,
    code: 1,
    tell: world => ({ published: withoutRow(world, true) }),
  },
  {
    lie: 'the row of a loser is dropped, and its event has no other report',
    says: /UNPROVEN \(1\): forecasts of closed events without a grade/,
    code: 3,
    tell: world => ({ published: withoutRow(world, false) }),
  },
  {
    lie: 'the same, to somebody who asks the venue',
    says: /report \d+ has no grade, but the venue has resolved its event/,
    code: 1,
    tell: world => ({ published: withoutRow(world, false), asksVenue: true }),
  },
  {
    lie: 'a lost forecast is graded as won by an answer that the market did not give',
    says: /Nothing is false/,
    code: 0,
    tell: async world => ({ published: await flipped(world) }),
  },
  {
    lie: 'the same, to somebody who asks the venue',
    says: /market \S+ of report \d+ resolved (YES|NO) by the venue/,
    code: 1,
    tell: async world => ({ published: await flipped(world), asksVenue: true }),
  },
  {
    lie: 'prices that the market never had, to somebody who asks the venue',
    says: /market \S+ of report \d+ cost [\d.]+ % by the venue/,
    code: 1,
    tell: world => {
      const venue = structuredClone(world.honest.venue);
      for (const { history = [] } of Object.values(venue)) {
        for (const point of history) point.p = point.p > 0.5 ? 0.01 : 0.99;
      }
      return { published: { ...world.honest, venue }, asksVenue: true };
    },
  },
  {
    lie: 'events that the venue does not have, to somebody who asks it',
    says: /UNPROVEN \(\d+\): outcomes that the venue does not tell/,
    code: 3,
    tell: world => ({ published: { ...world.honest, venue: {} }, asksVenue: true }),
  },
  {
    lie: 'the whole record, stamped by an authority of the operator whose certificates the stranger takes from the operator',
    says: /Nothing is false/,
    code: 0,
    tell: async world => {
      const published = await rewritten(
        { ...world, authority: world.ownAuthority },
        'regular',
        history => history,
      );
      return { published, ca: world.ownAuthority.certificate };
    },
  },
];

function hasStakes({ status, council_config: { runtime } }: any): boolean {
  return status === 'completed' && runtime.top_bets[0]?.stake_fraction > 0;
}

/** A graded row with something else in it. */
function inRow(lie: string, says: RegExp, change: (row: any) => void): Lie {
  return {
    lie: `a graded report with ${lie}`,
    says,
    code: 1,
    tell: world => ({
      published: edited(world, ({ rows }) => {
        change(found(rows.find(row => row.report_id === loser(world).forecast.report_id)));
      }),
    }),
  };
}

function inFigures(lie: string, says: RegExp, change: (record: any) => void): Lie {
  return {
    lie: `figures with ${lie}`,
    says,
    code: 1,
    tell: world => ({ published: edited(world, ({ record }) => change(record)) }),
  };
}

/** The row of a graded report is dropped, and counts and figures are as if it waited for its outcome. */
function withoutRow(world: World, hasOther: boolean): Published {
  return edited(world, ({ rows, record }) => {
    const dropped = found(
      rows.find(
        row =>
          row.state === 'graded' &&
          Date.parse(row.graded_at) < world.now - (hasOther ? 2 : 10) * 86_400_000 &&
          hasOther === rows.some(other => other !== row && other.event_id === row.event_id),
      ),
    );
    rows.splice(rows.indexOf(dropped), 1);
    record.counts.graded -= 1;
    record.counts.pending += 1;
    Object.assign(record.proof, {
      graded: record.counts.graded,
      stamped_before_outcome: record.counts.graded,
    });
    const { counts, as_of } = record;
    Object.assign(record, trackRecord(gradedRows(world, rows), counts, as_of));
  });
}

function gradedRows({ history }: World, rows: readonly any[]) {
  const ids = new Set(rows.map(row => row.report_id));
  return history
    .filter(({ forecast }) => ids.has(forecast.report_id))
    .flatMap(({ forecast, outcomes, closesAt }) => {
      const grade = gradeForecast(forecast, outcomes);
      return grade === 'pending'
        ? []
        : [{ forecast, ...grade, resolvedAt: resolvedAt(closesAt), rulesChanged: false }];
    });
}

/** Everything follows from answers that the markets did not give. */
function flipped(world: World): Promise<Published> {
  const { outcomes } = loser(world);
  const swapped = Object.fromEntries(
    Object.entries(outcomes).map(([market, answer], index, all) => [
      market,
      all[(index + 1) % all.length]?.[1] ?? answer,
    ]),
  );
  return rewritten(world, 'regular', history =>
    history.map(sale =>
      sale.outcomes === outcomes || sameEvent(sale, loser(world)) ? { ...sale, outcomes: swapped } : sale,
    ),
  );
}

function sameEvent(
  one: { forecast: { event_id: string } },
  other: { forecast: { event_id: string } },
): boolean {
  return one.forecast.event_id === other.forecast.event_id;
}
