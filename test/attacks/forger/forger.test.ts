import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDatedAuthority } from '../../support/timestamps/dated-authority.js';
import { hasOpenssl, skippedWithoutOpenssl } from '../../support/timestamps/openssl-authority.js';
import { honestHistory } from './history.js';
import { found, type Lie, type World } from './lie.js';
import { liesAboutEntries } from './lies-about-entries.js';
import { liesAboutGrounds } from './lies-about-grounds.js';
import { liesAboutNumbers } from './lies-about-numbers.js';
import { liesAboutTheChain } from './lies-about-the-chain.js';
import { liesAboutTime } from './lies-about-time.js';
import { publish } from './publish.js';
import { type LyingServer, startLyingServer } from './serve.js';

const now = Date.now();
let server: LyingServer;
let world: World;
const describeIfThere = hasOpenssl ? describe : describe.skip;

beforeAll(async () => {
  server = await startLyingServer();
  world = await worldOf(60);
});
afterAll(() => server.close());

async function worldOf(reports: number): Promise<World> {
  const [authority, ownAuthority] = [
    await createDatedAuthority('tests'),
    await createDatedAuthority('forger'),
  ];
  const history = honestHistory(now, reports);
  return { now, history, honest: await publish(history, { now, authority }), authority, ownAuthority };
}

async function expectFound({ says, code, tell }: Lie, told: World): Promise<void> {
  const { published, ...stranger } = await tell(told);
  const verdict = await server.verify(published, { ca: told.authority.certificate, ...stranger });
  expect(verdict.text).toMatch(says);
  expect(verdict.code).toBe(code);
}

const lies = [
  ...liesAboutTime,
  ...liesAboutTheChain,
  ...liesAboutEntries,
  ...liesAboutNumbers,
  ...liesAboutGrounds,
];

describeIfThere(`a record of 300 reports${skippedWithoutOpenssl}`, () => {
  let large: World;
  beforeAll(async () => {
    large = await worldOf(300);
  });

  test('that is honest is proven, with saved reports and with what the venue says', async () => {
    const { honest, authority } = large;
    const saved = Object.values(honest.saved);
    const { text, code } = await server.verify(honest, { ca: authority.certificate, saved, asksVenue: true });
    expect(text).toContain('Verified: 600 entries have the right numbers, links, hashes and kinds.');
    expect(text).toMatch(/Verified: (\d+) of \1 graded forecasts have a receipt from before their outcome\./);
    expect(text).toContain('Summary: 13 checks passed, 0 things are unproven, 0 faults.');
    expect(code).toBe(0);
  });

  test.each([
    ['hides', 'a forecast is not opened when it is due'],
    ['drops', 'a bad report and its sale are dropped, and the chain is rewritten'],
    ['redates', 'entries with times before the receipt of an older head'],
    ['fails', 'a bad report is failed, and its buyer has saved it'],
    ['rewrites', 'the same, to a buyer of another report who has saved it'],
  ])('finds an operator that %s reports', async (_, name) =>
    expectFound(found(lies.find(({ lie }) => lie === name)), large),
  );
});

describeIfThere(`the program finds what can be found of this lie${skippedWithoutOpenssl}`, () => {
  test.each(lies.map(lie => [lie.lie, lie] as const))('%s', async (_, lie) => expectFound(lie, world));
});
