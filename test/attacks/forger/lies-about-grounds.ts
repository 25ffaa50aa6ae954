import { changing, found, type Lie, rewritten, type World } from './lie.js';

/** What a report states beside its forecast is not what its members answered, or not what was recorded. */
export const liesAboutGrounds: readonly Lie[] = [
  toBuyer('another base rate', /has a wrong base rate of claude: 90 in place of/, (_, { opinions }) => {
    opinions[0].base_rates[0].rate = 90;
  }),
  toBuyer('a larger reference class', /has a wrong base rate of claude/, (_, { opinions }) => {
    opinions[0].base_rates[0].n += 20;
  }),
  toBuyer('a narrower range of a member', /has a wrong confidence of claude/, (_, { opinions }) => {
    opinions[0].range.low += 1;
  }),
  toBuyer(
    'more confidence',
    /has a wrong confidence: 84\.9 in place of/,
    (_runtime, _deliberation, report) => {
      report.confidence = 84.9;
    },
  ),
  toBuyer('another outside view', /has a wrong outside_view of .*: 99 in place of/, runtime => {
    runtime.outside_view[0].probability = 99;
  }),
  toBuyer('an outside view of fewer members', /wrong outside_view: it is of other outcomes/, runtime => {
    runtime.outside_view[0].members.pop();
  }),
  toBuyer('less risk', /has a wrong resolution_risk: 0\.5 in place of/, runtime => {
    runtime.resolution_risk = 0.5;
  }),
  toBuyer('a smaller distance to the market', /report \d+ has a wrong market_gap\.points/, runtime => {
    runtime.market_gap.points = 8;
  }),
  toBuyer('no distance to the market', /report \d+ has a wrong market_gap: None/, runtime => {
    runtime.market_gap = null;
  }),
  toBuyer('triggers of another outcome', /has a wrong subject: No such outcome/, runtime => {
    runtime.subject = 'No such outcome';
  }),
  toBuyer('another number in a trigger', /wrong number of claude in a trigger: 97/, (_, { synthesis }) => {
    synthesis.triggers[0].to.claude = 97;
  }),
  toBuyer(
    'another outside view and answers that give it',
    /report \d+ has another outside_view than entry \d+ of the chain/,
    ({ outside_view: views }, { opinions }) => {
      const [{ outcome }] = views;
      for (const opinion of opinions) opinion.outside_view = { outcome, probability: 50 };
      views.length = 1;
      Object.assign(views[0], { probability: 50, members: opinions.map(({ model }: any) => model) });
    },
  ),
  inEntry('a smaller distance to the market', /entry \d+ has a wrong market_gap\.points/, forecast => {
    forecast.market_gap.points = 8;
  }),
  inEntry('no distance to the market', /entry \d+ has a wrong market_gap: None/, forecast => {
    forecast.market_gap = null;
  }),
  inEntry('an outside view of no outcome', /entry \d+ has an outside view of another outcome/, forecast => {
    forecast.outside_view[0].outcome = 'No such outcome';
  }),
  {
    ...inEntry(
      'a format of its own making',
      /contents in a format that this program does not know/,
      forecast => {
        forecast.record = 'record/9';
      },
    ),
    code: 3,
  },
];

type Change = (runtime: any, deliberation: any, report: any) => void;

/** A report that its buyer has saved, with something else in it. */
function toBuyer(what: string, says: RegExp, change: Change): Lie {
  return {
    lie: `a report with ${what}, to its buyer`,
    says,
    code: 1,
    tell: world => {
      const report = structuredClone(reportWithGrounds(world));
      change(report.council_config.runtime, report.deliberation, report);
      return { published: world.honest, saved: [report] };
    },
  };
}

/** An entry with something else in its content, from the first day on: every hash is right. */
function inEntry(what: string, says: RegExp, change: (forecast: any) => void): Lie {
  return {
    lie: `an entry with ${what}`,
    says,
    code: 1,
    tell: async world => {
      const { id } = reportWithGrounds(world);
      const sale = found(world.history.find(({ forecast }) => forecast.report_id === id));
      const forecast = structuredClone(sale.forecast);
      change(forecast);
      return { published: await rewritten(world, 'regular', changing(sale, { forecast })) };
    },
  };
}

/** A report with everything that may be missing, whose forecast is open. */
function reportWithGrounds({ honest: { saved, chain } }: World): any {
  return found(
    Object.values(saved).find(
      ({ status, record, council_config: { runtime }, deliberation }) =>
        status === 'completed' &&
        chain[record.seq - 1].payload !== null &&
        runtime.market_gap !== null &&
        runtime.outside_view[0]?.members.length > 1 &&
        deliberation.synthesis.triggers[0]?.to.claude !== undefined,
    ),
  );
}
