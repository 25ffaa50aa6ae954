import { iso } from './history.js';
import { edited, type Lie, type World } from './lie.js';
import { type Published, receiptOf, rehash } from './publish.js';

const day = 86_400_000;

/** Receipts that prove nothing, and entries that are not as old as they say. */
export const liesAboutTime: readonly Lie[] = [
  {
    lie: 'an invented record whose token is the text “not a token at all” and the hash',
    says: /receipt 1 of \S+ is no time-stamp token/,
    code: 1,
    tell: world => ({ published: withJunk(world) }),
  },
  {
    lie: 'the same, to somebody without the certificates of the authority',
    says: /UNPROVEN \(\d+\): receipts without --ca/,
    code: 3,
    tell: world => ({ published: withJunk(world), ca: null }),
  },
  {
    lie: 'the same, to somebody without OpenSSL',
    says: /UNPROVEN \(\d+\): receipts without openssl/,
    code: 3,
    tell: world => ({ published: withJunk(world), hasNoOpenssl: true }),
  },
  {
    lie: 'receipts of an authority that the operator runs',
    says: /receipt 1 of \S+ is not signed by an authority in/,
    code: 1,
    tell: world => restamped(world, 0),
  },
  {
    lie: 'a receipt for another hash',
    says: /receipt 2 of \S+ is a time stamp of something else/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ timestamps }) => {
        timestamps[1].token = timestamps[0].token;
      }),
    }),
  },
  {
    lie: 'a receipt whose time is published a day too early',
    says: /receipt 1 of \S+ was signed at/,
    code: 1,
    tell: world => ({
      published: edited(world, ({ timestamps }) => {
        timestamps[0].time = iso(Date.parse(timestamps[0].time) - day);
      }),
    }),
  },
  {
    lie: 'no receipt at all',
    says: /UNPROVEN \(\d+\): graded forecasts without a receipt from before their outcome/,
    code: 3,
    tell: world => ({ published: edited(world, ({ timestamps }) => timestamps.splice(0)) }),
  },
  {
    lie: 'a forecast made after the outcome, in an entry with an earlier time',
    says: /entry \d+ of \S+ is older than entry \d+ before it: it was redated/,
    code: 1,
    tell: world => redated(world, chain => chain.slice(40, 41), -10 * day),
  },
  {
    lie: 'entries with times before the receipt of an older head',
    says: /older than a receipt of \S+ that ends with entry 24: redated, or added later/,
    code: 1,
    tell: world => redated(world, chain => chain.slice(24), 0, 3 * day),
  },
  {
    lie: 'entries with times after the receipt that covers them',
    says: /later than a receipt of \S+ that covers entry \d+: redated/,
    code: 1,
    tell: world => redated(world, chain => chain, 2 * day),
  },
  {
    lie: 'an entry from tomorrow',
    says: /entry \d+ has the time \S+, which is yet to come/,
    code: 1,
    tell: world => redated(world, chain => chain.slice(-1), 10 * day),
  },
];

function withJunk(world: World): Published {
  return edited(world, ({ timestamps }) => {
    const [receipt] = timestamps;
    receipt.token = Buffer.concat([
      Buffer.from('not a token at all'),
      Buffer.from(receipt.hash, 'hex'),
    ]).toString('base64');
  });
}

/** All receipts signed by the operator's own authority. @param lateMs how much later than what they were */
async function restamped({ honest, ownAuthority: authority }: World, lateMs: number) {
  const timestamps = await Promise.all(
    honest.timestamps.map(({ id, number, time }) =>
      receiptOf(honest.chain[number - 1], { id, authority, at: Date.parse(time) + lateMs }),
    ),
  );
  return { published: { ...honest, timestamps } };
}

/**
 * Other times of some entries, with right hashes, and right receipts of the resulting chain. @param lateMs by which the receipts come later than they did
 */
async function redated(
  world: World,
  some: (chain: any[]) => any[],
  byMs: number,
  lateMs = 0,
): Promise<{ published: Published }> {
  const published = edited(world, ({ chain, record }) => {
    for (const entry of some(chain)) entry.time = iso(Date.parse(entry.time) + byMs);
    rehash(chain);
    record.record.head = chain.at(-1).hash;
  });
  const timestamps = await Promise.all(
    published.timestamps.map(({ id, number, time }) =>
      receiptOf(published.chain[number - 1], {
        id,
        authority: world.authority,
        at: Date.parse(time) + lateMs,
      }),
    ),
  );
  return { published: { ...published, timestamps } };
}
