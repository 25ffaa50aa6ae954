import { changing, edited, found, type Lie, loser, rewritten, type World, without } from './lie.js';
import { type Published, rehash } from './publish.js';

const day = 86_400_000;

/** Reports that are hidden, dropped, failed, or shown otherwise than they were sold. */
export const liesAboutEntries: readonly Lie[] = [
  {
    lie: 'a bad report and its sale are dropped, and the chain is rewritten',
    says: /receipt \d+ of \S+ is of another entry \d+: the chain was rewritten/,
    code: 1,
    tell: async world => ({ published: await rewritten(world, 'kept', without(loser(world))) }),
  },
  {
    lie: 'the same, and the old receipts are dropped too',
    says: /UNPROVEN \(\d+\): graded forecasts without a receipt from before their outcome/,
    code: 3,
    tell: async world => ({ published: await rewritten(world, 'once', without(loser(world))) }),
  },
  {
    lie: 'the same, to a buyer of another report who has saved it',
    says: /report \d+ names another hash for entry \d+ than the chain/,
    code: 1,
    tell: async world => ({
      published: await rewritten(world, 'once', without(loser(world))),
      saved: [found(Object.values(world.honest.saved)[40])],
    }),
  },
  {
    lie: 'the same, to somebody who has kept an earlier head',
    says: /history was rewritten: entry 100 had another hash/,
    code: 1,
    tell: async world => ({
      published: await rewritten(world, 'once', without(loser(world))),
      kept: { entries: 100, head: world.honest.chain[99].hash },
    }),
  },
  {
    lie: 'the newest reports are dropped, to somebody who has kept a head',
    says: /the chain had 120 entries on \S+, and ends with entry 118 now/,
    code: 1,
    tell: async world => ({
      published: await rewritten(world, 'once', history => history.slice(0, -1)),
      kept: { entries: 120, head: world.honest.chain[119].hash },
    }),
  },
  {
    lie: 'the end of a bad report is dropped from the first day on',
    says: /the sale of entry \d+ of \S+ has no end/,
    code: 1,
    tell: world => ({ published: withoutEnd(world) }),
  },
  {
    lie: 'a bad report is failed, and its buyer has saved it',
    says: /report \d+ is completed; its entry \d+ says failed/,
    code: 1,
    tell: async world => {
      const sale = loser(world);
      const published = await failing(world);
      const { record } = published.saved[sale.forecast.report_id];
      return { published, saved: [{ ...world.honest.saved[sale.forecast.report_id], record }] };
    },
  },
  {
    lie: 'a bad report is failed from the first day on, and its buyer says nothing',
    says: /sales have one end each, of which 3 failed/,
    code: 0,
    tell: async world => ({ published: await failing(world) }),
  },
  {
    lie: 'a sale is never put in the chain, and its buyer has saved the report',
    says: /report \d+ is completed and has no entry/,
    code: 1,
    tell: async world => {
      const sale = loser(world);
      const saved = { ...world.honest.saved[sale.forecast.report_id], record: null };
      return { published: await rewritten(world, 'regular', without(sale)), saved: [saved] };
    },
  },
  {
    lie: 'a sale is never put in the chain, and its buyer says nothing',
    says: /Nothing is false/,
    code: 0,
    tell: async world => ({ published: await rewritten(world, 'regular', without(loser(world))) }),
  },
  {
    lie: 'a forecast is not opened when it is due',
    says: /entry \d+ had to be open by \S+ and is still hidden/,
    code: 1,
    tell: async world => {
      const closesAt = world.now - 40 * day;
      const published = await rewritten(world, 'once', history =>
        history.map(sale => (sale === loser(world) ? { ...sale, closesAt } : sale)),
      );
      return { published: hiding(world, published) };
    },
  },
  {
    lie: 'the service says that no entry is overdue, but one is',
    says: /0 entries are said to be overdue; 2 are/,
    code: 1,
    tell: async world => {
      const published = await rewritten(
        world,
        'once',
        changing(loser(world), { closesAt: world.now - 40 * day }),
      );
      return { published: hiding(world, published) };
    },
  },
  {
    lie: 'a forecast shall be opened in twenty years',
    says: /UNPROVEN \(2\): hidden for more than 730 days/,
    code: 3,
    tell: async world => ({
      published: await rewritten(
        world,
        'regular',
        changing(loser(world), { closesAt: world.now + 20 * 365 * day }),
      ),
    }),
  },
  {
    lie: 'a forecast opens later than its sale promised',
    says: /entry \d+ promises to open at another time than its sale/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ chain }) => {
        const end = found(chain.find(each => each.kind === 'completed'));
        end.opens_by = '2090-01-01T00:00:00.000Z';
        rehash(chain);
      }),
    }),
  },
  {
    lie: 'a run ends twice',
    says: /entry 121 is the second end of sale 1, after entry/,
    code: 1,
    tell: world => ({ published: withOneMore(world, { sale: 1 }) }),
  },
  {
    lie: 'a forecast was never sold',
    says: /entry 121 ends no sale/,
    code: 1,
    tell: world => ({ published: withOneMore(world, { sale: 120 }) }),
  },
  {
    lie: 'the forecast of one report ends the sale of another',
    says: /entry \d+ is of another report than its sale/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ chain }) => {
        const [first, second] = chain.filter(each => each.kind === 'completed' && each.payload !== null);
        [first.sale, second.sale] = [second.sale, first.sale];
        [first.opens_by, second.opens_by] = [second.opens_by, first.opens_by];
        rehash(chain);
      }),
    }),
  },
  {
    lie: 'a simulated report is labelled as live',
    says: /entry \d+ is labelled as live; its content is simulated/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ chain }) => {
        found(chain.find(each => each.kind === 'completed' && each.payload !== null)).simulated = false;
        rehash(chain);
      }),
    }),
  },
  {
    lie: 'another forecast is shown than the one that was sold',
    says: /entry \d+ shows another content than the one it committed to/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ chain }) => {
        const entry = found(chain.find(each => each.kind === 'completed' && each.payload !== null));
        entry.payload = entry.payload.replace(/"council":[\d.]+/, '"council":99');
      }),
    }),
  },
  {
    lie: 'a graded report has no forecast to compare with',
    says: /report \d+ is graded, but no entry of the chain shows its forecast/,
    code: 1,
    tell: world => ({ published: edited(world, published => hiding(world, published)) }),
  },
];

function failing(world: World): Promise<Published> {
  return rewritten(world, 'regular', changing(loser(world), { end: 'failed' }));
}

function endOf({ chain, saved }: Published, world: World): any {
  return chain[saved[loser(world).forecast.report_id].record.seq - 1];
}

function withoutEnd(world: World): Published {
  return edited(world, published => {
    const { chain, record } = published;
    chain.splice(endOf(published, world).number - 1, 1);
    for (const [index, entry] of chain.entries()) {
      if (entry.sale !== null) entry.sale = chain.findIndex(each => each.number === entry.sale) + 1;
      entry.next = index + 1;
    }
    for (const entry of chain) [entry.number, entry.next] = [entry.next, undefined];
    rehash(chain);
    record.record = { entries: chain.length, head: chain.at(-1).hash };
  });
}

function hiding(world: World, published: Published): Published {
  const end = endOf(published, world);
  for (const entry of [end, published.chain[end.sale - 1]]) [entry.payload, entry.salt] = [null, null];
  return published;
}

function withOneMore(world: World, { sale }: { sale: number }): Published {
  return edited(world, ({ chain, record }) => {
    const last = found(chain.filter(each => each.kind === 'completed').at(-1));
    chain.push({ ...last, number: chain.length + 1, sale });
    rehash(chain);
    record.record = { entries: chain.length, head: chain.at(-1).hash };
  });
}
