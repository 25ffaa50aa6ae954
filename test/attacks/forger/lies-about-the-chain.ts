import { edited, found, type Lie, loser, type World } from './lie.js';
import { type Published, rehash } from './publish.js';

/** Hashes, numbers and heads that do not fit one another. */
export const liesAboutTheChain: readonly Lie[] = [
  {
    lie: 'an entry is left out',
    says: /entry 31 is left out: entry 32 comes next/,
    code: 1,
    tell: world => ({ published: edited(world, ({ chain }) => chain.splice(30, 1)) }),
  },
  {
    lie: 'an entry is left out, the others are renumbered',
    says: /entry 31 does not follow the one before it/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ chain }) => {
        chain.splice(30, 1);
        for (const [index, entry] of chain.entries()) entry.number = index + 1;
      }),
    }),
  },
  {
    lie: 'the time of an entry is changed',
    says: /entry 7 does not have the hash of its content/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ chain }) => {
        chain[6].time = '2026-01-01T00:00:00.000Z';
      }),
    }),
  },
  {
    lie: 'a lower head is published than the receipts have',
    says: /receipt \d+ of \S+ is of entry 120, but the chain ends with entry 100/,
    code: 1,
    tell: world => ({ published: edited(world, ({ chain }) => chain.splice(100)) }),
  },
  {
    lie: 'a head is published that the chain does not have',
    says: /the head of the track record is not the hash of entry 120/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ record }) => {
        record.record.head = 'a'.repeat(64);
      }),
    }),
  },
  {
    lie: 'two buyers get two heads for one number',
    says: /entry \d+ has two hashes in saved reports/,
    code: 1,
    tell: world => {
      const report = found(Object.values(world.honest.saved)[40]);
      const record = { ...report.record, hash: 'a'.repeat(64) };
      return { published: world.honest, saved: [report, { ...report, record }] };
    },
  },
  {
    lie: 'a buyer gets another number than the one that was recorded',
    says: /report \d+ has another council than entry \d+ of the chain/,
    code: 1,
    tell: world => {
      const report = structuredClone(world.honest.saved[loser(world).forecast.report_id]);
      const [first = ''] = Object.keys(report.council_config.runtime.market_probabilities);
      report.council_config.runtime.market_probabilities[first] = 99;
      return { published: world.honest, saved: [report] };
    },
  },
  {
    lie: 'a record of completed reports alone, as release 1.0.0 kept it',
    says: /UNPROVEN \(\d+\): entries of release 1.0.0, which recorded neither sales nor failures/,
    code: 3,
    tell: world => ({ published: asVersion1(world) }),
  },
];

function asVersion1(world: World): Published {
  return edited(world, published => {
    const { chain, record, timestamps } = published;
    const ends = chain.filter(each => each.kind === 'completed');
    chain.splice(0, chain.length, ...ends);
    for (const [index, entry] of chain.entries()) {
      Object.assign(entry, {
        version: 1,
        number: index + 1,
        kind: undefined,
        sale: undefined,
        opens_by: undefined,
      });
    }
    rehash(chain);
    timestamps.splice(0);
    delete record.counts.sold;
    record.record = { entries: chain.length, head: chain.at(-1).hash };
  });
}
