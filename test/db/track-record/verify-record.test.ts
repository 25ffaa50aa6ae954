import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Evidence } from '../../../council/evidence.js';
import { hashedEvidence } from '../../../db/digests.js';
import { verifyRecord } from '../../../db/track-record/verify-record.js';
import { completedReport, payloadOf } from '../support/recorded-report.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

/** What a search found, with a title that PostgreSQL reads in no JSON. */
const found: Evidence = {
  status: 'partial',
  as_of: noon.toISOString(),
  searches: 3,
  items: [
    {
      id: 'S1',
      text: 'Canada’s \u201cfirst\u201d choice \u2028 is fit.',
      url: 'https://news.example.org/canada',
      domain: 'news.example.org',
      title: 'Half a pair \ud800 and a NUL \u0000',
      published_at: null,
      retrieved_at: noon.toISOString(),
      found_by: ['claude'],
    },
  ],
  removed: { market_sources: 0, odds_statements: 1, duplicates: 0, other: 0 },
  failures: { grok: 'timed out' },
};

const tables = ['record_entries', 'reports', 'stage_results'];

/** Runs statements with triggers disabled, as a database owner could. */
async function tamper(statement: string): Promise<void> {
  await world.together(async client => {
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
    await client.query(statement);
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  });
}

const isoTime = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Hashes entries again, as someone would who rewrites history with care. */
const rehashEntries = `
  update record_entries set hash = sha256(convert_to(concat_ws(E'\\n', 'record-entry/2', seq, kind,
    coalesce(sale_seq::text, '-'), ${isoTime('created_at')}, ${isoTime('opens_by')}, 'simulated',
    encode(previous_hash, 'hex'), encode(sha256(salt || convert_to(payload, 'UTF8')), 'hex')), 'UTF8'))`;

describe('verification, with triggers disabled, detects', () => {
  test('nothing where nothing was changed, whatever the pages hold that were found', async () => {
    const id = await completedReport(world, found);
    const { evidence } = await payloadOf(world, id);
    expect(evidence).toEqual({
      status: 'partial',
      items: 1,
      sha256: createHash('sha256').update(JSON.stringify(found)).digest('hex'),
    });
    expect((await verifyRecord(world.db)).faults).toEqual([]);
  });

  /** Expects verification to report the change of a report that another one follows, then reverts it. */
  async function expectFault(
    evidence: Evidence | null,
    change: (id: number, conclusion: string, next: number) => string,
    fault: string,
  ): Promise<void> {
    const [id, next] = [await completedReport(world, evidence), await completedReport(world)];
    const [{ text }] = await world.sql('select conclusion::text as text from reports where id = $1', [id]);
    expect((await verifyRecord(world.db)).faults).toEqual([]);
    await tamper(`${keep}; ${change(id, text, next)}`);
    const { faults } = await verifyRecord(world.db);
    await tamper(restore);
    const named = fault.replace('<id>', String(id)).replace('<next>', String(next));
    expect(faults.join('\n')).toMatch(new RegExp(named));
    expect((await verifyRecord(world.db)).faults).toEqual([]);
  }

  const keep = tables.map(table => `create table kept_${table} as select * from ${table}`).join(';');
  const restore = `
    delete from record_entries; insert into record_entries select * from kept_record_entries;
    delete from stage_results; insert into stage_results select * from kept_stage_results;
    update reports set conclusion = kept.conclusion, event = kept.event from kept_reports as kept where kept.id = reports.id;
    drop table ${tables.map(table => `kept_${table}`).join(', ')}`;

  const forecast = (id: number) =>
    `update record_entries set payload = replace(payload, '"council":66', '"council":67') where report_id = ${id}`;
  const report = (id: number, change: string) => `update reports set ${change} where id = ${id}`;
  const gpts = (id: number) => `stage_results where report_id = ${id} and model = 'gpt'`;

  type Tampering = [
    what: string,
    change: (id: number, conclusion: string, next: number) => string,
    fault: string,
  ];

  test.each<Tampering>([
    ['a changed forecast, by its hash', forecast, 'does not match its hash'],
    [
      'a changed forecast that is hashed again, by the next entry',
      id => `${forecast(id)}; ${rehashEntries} where report_id = ${id}`,
      'does not chain to the previous entry[\\s\\S]*has another forecast',
    ],
    [
      'a forecast that was replaced by JSON of another shape',
      id => `update record_entries set payload = '{"report_id":1}' where report_id = ${id}`,
      'report <id> has an entry in the record that cannot be read',
    ],
    [
      'an outcome of a forecast that was replaced by nothing',
      id =>
        `update record_entries set payload = regexp_replace(payload, '"outcomes":.*?\\],"left_out"', '"outcomes":[null],"left_out"') where report_id = ${id}`,
      'report <id> has an entry in the record that cannot be read',
    ],
    [
      'a newest report that was dropped from the record',
      (_id, _conclusion, next) => `delete from record_entries where report_id = ${next}`,
      'report <next> is completed but not in the record',
    ],
    [
      'an earlier report that was dropped from the record',
      id => `delete from record_entries where report_id = ${id}`,
      'are missing[\\s\\S]*does not chain',
    ],
    [
      'a changed conclusion',
      id => report(id, `conclusion = replace(conclusion::text, '66', '16')::json`),
      'another forecast',
    ],
    [
      'a changed market snapshot',
      id => report(id, `event = replace(event::text, '0.55', '0.25')::json`),
      'another market',
    ],
    [
      'a changed answer',
      id => `update ${gpts(id).replace('where', `set answer = '{"text":"other"}' where`)}`,
      'other answers',
    ],
    ...(
      [
        ['base rate', '"k":12', '"k":2'],
        ['range', '"low":55', '"low":60'],
        ['possible change', '"to":45', '"to":85'],
        ['text about the market', 'The line-up.', 'Nothing.'],
      ] as const
    ).map(
      ([what, before, after]): Tampering => [
        `a changed ${what} of a member`,
        id => `update stage_results set answer = replace(answer::text, '${before}', '${after}')::json
        where report_id = ${id} and answer::text like '%${before}%'`,
        'other answers',
      ],
    ),
    ['a removed answer', id => `delete from ${gpts(id)}`, 'other answers'],
    [
      'evidence that was added to a report without any',
      (id, text) => setConclusion(id, withEvidence(text, found, summaryOf(found))),
      'report <id> has other evidence than the record',
    ],
  ])('%s', (_, change, fault) => expectFault(null, change, fault));

  const setConclusion = (id: number, conclusion: string) => report(id, `conclusion = $$${conclusion}$$`);
  /** The conclusion with this evidence and summary. */
  const withEvidence = (text: string, evidence: Evidence | null, summary: object | null) => {
    const { runtime, ...rest } = JSON.parse(text);
    return JSON.stringify({ ...rest, evidence, runtime: { ...runtime, evidence: summary } });
  };
  const summaryOf = (evidence: Evidence, more: object = {}) => ({
    status: evidence.status,
    items: evidence.items.length,
    sha256: hashedEvidence(evidence).sha256,
    ...more,
  });
  const other: Evidence = { ...found, searches: 4 };

  test.each([
    ['a changed statement', (text: string) => text.replace('is fit.', 'is not fit.')],
    ['a changed page', (text: string) => text.replace('news.example.org/canada', 'other.example.org/')],
    ['a changed count', (text: string) => text.replace('"odds_statements":1', '"odds_statements":0')],
    ['another hash', (text: string) => withEvidence(text, found, summaryOf(other))],
    ['another status', (text: string) => withEvidence(text, found, summaryOf(found, { status: 'searched' }))],
    ['other evidence of right hash', (text: string) => withEvidence(text, other, summaryOf(other))],
    ['no evidence any more', (text: string) => withEvidence(text, null, null)],
  ])('the evidence of a report with %s', (_, change) =>
    expectFault(
      found,
      (id, text) => {
        expect(change(text)).not.toBe(text);
        return setConclusion(id, change(text));
      },
      'report <id> has other evidence than the record',
    ),
  );

  test.each<[string, (conclusion: any) => unknown]>([
    ['probability', conclusion => (conclusion.probability = 60)],
    ['confidence', conclusion => (conclusion.confidence = 80)],
    ['headline', ({ runtime }) => (runtime.most_likely_probability = 70)],
    ['estimate', ({ runtime }) => (runtime.estimate.probabilities.Canada = 70)],
    ['weights', ({ runtime }) => (runtime.estimate.weights.id = 'weights-other')],
    ['bet', ({ runtime }) => (runtime.top_bets[0].win_probability = 70)],
    ['bets', ({ runtime }) => runtime.top_bets.push(runtime.top_bets[0])],
    ['best edge', ({ runtime }) => (runtime.best_edge = null)],
    ['method', ({ runtime }) => (runtime.method.name = 'council/1')],
    ['subject', ({ runtime }) => (runtime.subject = 'Draw')],
    ['outside view', ({ runtime }) => (runtime.outside_view[0].probability = 40)],
    ['number of base rates', ({ runtime }) => runtime.outside_view[0].members.pop()],
    ['no outside view', ({ runtime }) => (runtime.outside_view = [])],
    ['resolution risk', ({ runtime }) => (runtime.resolution_risk = 1)],
    ['distance to the market', ({ runtime }) => (runtime.market_gap.points = 8)],
    ['no distance to the market', ({ runtime }) => (runtime.market_gap = null)],
  ])('a conclusion with another %s', (_, change) =>
    expectFault(
      null,
      (id, text) => {
        const conclusion = JSON.parse(text);
        change(conclusion);
        expect(JSON.stringify(conclusion)).not.toBe(text);
        return setConclusion(id, JSON.stringify(conclusion));
      },
      'report <id> has another forecast than the record',
    ),
  );

  test.each(['{}', 'null', '[1]'])('a conclusion that is %s, and no conclusion any more', unreadable =>
    expectFault(
      found,
      id => setConclusion(id, unreadable),
      'report <id> has another forecast than the record',
    ),
  );
});
