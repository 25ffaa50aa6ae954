import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CompiledQuery } from 'kysely';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { manifestFor, readTemporalManifest } from '../../../platform/temporal/manifest.js';
import { runNow } from '../../../workflows/maintenance.js';
import { testedBlocks } from '../../support/expect/tested-blocks.js';
import { inShell } from '../../support/service/in-shell.js';
import { startRealService } from '../../support/service/real-service.js';
import { until } from '../../support/until.js';
import { beginRuns, type OperatedRun, operatedRuns, operatorEnv } from '../support/operated-runs.js';

/** Runs every command of docs/operations.md against runs of every kind, and checks what it finds. */
const blocks = testedBlocks('docs/operations.md');
// A member that hangs at its review keeps a run at this stage during the whole test.
const service = await startRealService({ STAGE_DEADLINES_MS: '60000,600000,60000' });
afterAll(() => service.stop());
const env = await operatorEnv(service);
const owner = await service.newCaller(1_000);
const other = await service.newCaller(1_000);
const runs = operatedRuns();

const rows = async (statement: string): Promise<any[]> => (await service.database.pool.query(statement)).rows;

beforeAll(async () => {
  await beginRuns(service, { owner, other }, runs);
  await service.temporal.workflow.getHandle('maintenance/check-ledger').executeUpdate(runNow);
  await until('the visibility store lists all runs', async () => {
    const { count } = await service.temporal.workflow.count(
      "WorkflowType = 'councilReport' AND ReportId > 0",
    );
    const ended = await service.temporal.workflow.count(
      "ReportStatus = 'completed' OR ReportStatus = 'failed'",
    );
    return count === 5 && ended.count === 3;
  });
}, 180_000);

/** As the service: operators have its DATABASE_URL. */
const inDatabase = async (text: string, { reportId }: OperatedRun): Promise<any[]> => {
  const statement = text.replaceAll(/:report\b/g, String(reportId));
  return (await service.database.db.executeQuery(CompiledQuery.raw(statement))).rows;
};

/** The names of the runs whose workflow ids are in the output. */
const found = (out: string) =>
  Object.entries(runs).flatMap(([name, run]) => (out.includes(run.workflowId) ? [name] : []));

interface Expected {
  /** The run whose REPORT, RUN and EVENT the block gets. Default: the failed one. */
  readonly about?: keyof typeof runs;
  readonly variables?: Record<string, string>;
  readonly sh?: (out: string) => unknown;
  readonly sql?: (rows: any[]) => unknown;
}

const unfinished = ['running', 'hopeless'];
const ids = (...names: (keyof typeof runs)[]) => names.map(name => runs[name].reportId);
const maintenanceInput = async (duty: string): Promise<any> =>
  (await service.temporal.workflow.getHandle(`maintenance/${duty}`).describe()).memo?.['input'];
const failureOf = async ({ reportId }: OperatedRun) =>
  (await rows(`select failure_code from reports where id = ${reportId}`))[0].failure_code;

/** What every tested block must find. */
const expected: Record<string, Expected> = {
  'Which reports degraded today? 1': { sh: out => expect(found(out)).toEqual(['degraded']) },
  'Which reports degraded today? 2': {
    sql: lost =>
      expect(lost).toEqual([
        { id: runs.degraded.reportId, model: 'grok', stage: 'opinions', kind: 'unauthorised' },
      ]),
  },
  'Why was this report refunded? 1': {
    sh: out => {
      const { reportId, credits } = runs.failed;
      expect(out).toContain(`Report ${reportId} failed: quorum_lost. Refunded: ${credits} credits.`);
      expect(out).toContain('Too few models gave a valid opinion.');
      expect(out).toMatch(/opinions · claude: refused/);
      expect(out).toMatch(/opinions · gpt: rate_limited/);
      expect(out).toMatch(/opinions · grok: unauthorised/);
      expect(out).not.toMatch(/gemini/);
    },
  },
  'Why was this report refunded? 2': {
    sql: legs =>
      expect(legs.map(({ kind, reason, amount_credits }) => [kind, reason, amount_credits])).toEqual([
        ['charge', expect.any(String), -runs.failed.credits],
        ['refund', 'quorum_lost', runs.failed.credits],
      ]),
  },
  'Callers learn late that a report has ended 1': {
    sql: sessions => expect(sessions).toHaveLength(1),
  },
  // In the future, because the command has whole seconds and the runs may be younger than one.
  'What is stuck? 1': { variables: { MINUTES: '-1' }, sh: out => expect(found(out)).toEqual(unfinished) },
  'What is stuck? 2': {
    about: 'running',
    sh: out => {
      expect(out).toContain('Pending Activities: 1');
      expect(out).toContain('askReview');
    },
  },
  'What is stuck? 3': {
    sql: charged => expect(charged.map(({ id }) => id)).toEqual(ids('running', 'hopeless')),
  },
  'What is running now, and at which stage? 1': {
    about: 'running',
    sh: out => {
      expect(found(out)).toEqual(unfinished);
      expect(out).toContain('"stage":"cross_review"');
    },
  },
  'What is running now, and at which stage? 2': {
    sql: now =>
      expect(now.map(({ id, stage }) => [id, stage])).toEqual(
        ids('running', 'hopeless').map(id => [id, 'cross_review']),
      ),
  },
  'Everything of one account, one event, one report 1': {
    about: 'degraded',
    sh: out => expect(found(out)).toEqual(['completed', 'degraded', 'failed']),
  },
  'Everything of one account, one event, one report 2': {
    about: 'completed',
    sql: buyers =>
      expect(buyers.map(({ account_id, kind }) => [account_id, kind])).toEqual([
        [owner.accountId, 'fresh'],
        [other.accountId, 'cached'],
      ]),
  },
  'Which failed this week, and why? 1': { sh: out => expect(found(out)).toEqual(['failed']) },
  'Which failed this week, and why? 2': {
    sql: reasons =>
      expect(reasons).toMatchObject([
        { failure_code: 'quorum_lost', reports: 1, first: runs.failed.reportId },
      ]),
  },
  'Which failed this week, and why? 3': {
    sh: out => expect(out).toBe(`quorum_lost  ${runs.failed.workflowId}\n`),
  },
  'Is the money right? 1': {
    sh: out => expect(out).toMatch(/^The books balance\.\nChecked: .*, 6 purchases/),
  },
  'What did the last audit say? 1': {
    sh: out => expect(out).toContain('"drifts":0'),
  },
  'What did the last audit say? 2': {
    sh: out => expect(out).toMatch(/drifts:0 /),
  },
  'The record is not sealed 1': {
    sql: waiting => expect(waiting).toMatchObject([{ count: expect.any(Number) }]),
  },
  'Webhooks are not sent 1': {
    sql: waiting => expect(waiting).toEqual([{ unhanded: 0, due: 0, oldest: null }]),
  },
  'Webhooks are not sent 2': { sql: tries => expect(tries).toEqual([]) },
  'Batches stand still 1': { sql: open => expect(open).toEqual([]) },
  'Batches stand still 2': { sql: paused => expect(paused).toEqual([]) },
  'The record is not time-stamped 1': { sh: out => expect(out).toContain('not_configured') },
  'Publish the head of the record 1': {
    sh: out =>
      expect(out).toMatch(/Record: entry \d+, [0-9a-f]{64}\n.*\n  git tag --sign record-\d+ --file \S+\n/),
  },
  'A vendor is down: who is affected? 1': {
    sql: calls => {
      const failed = calls.filter(({ outcome }) => outcome !== 'answered');
      expect(failed.map(({ model, outcome, calls: count }) => [model, outcome, count])).toEqual([
        ['claude', 'refused', 1],
        ['gpt', 'rate_limited', 1],
        ['grok', 'unauthorised', 2],
      ]);
    },
  },
  'A vendor is down: who is affected? 2': {
    sql: hit => expect(hit.map(({ id }) => id)).toEqual(ids('degraded')),
  },
  'Reports have no evidence 1': {
    sql: searches => {
      expect(searches).toContainEqual(expect.objectContaining({ model: 'claude', outcome: 'answered' }));
      expect(searches.map(({ model }) => model)).not.toContain('gemini');
    },
  },
  'Reports have no evidence 2': {
    sql: found => expect(found).toContainEqual(expect.objectContaining({ status: 'searched' })),
  },
  'Do members follow a price in their evidence? 1': {
    sh: out => expect(out).toMatch(/^The models are SIMULATED.*\n\n.*\nclaude +2 +0 +\+0\.0 points/s),
  },
  'Steps wait for a worker 1': {
    sh: out => {
      expect(out.match(/ApproximateBacklogCount/g)).toHaveLength(2);
      expect(out).toContain(`${service.worker.pid}@`);
    },
  },
  'What do the models cost today? 1': {
    sql: buyers =>
      expect(new Set(buyers.map(({ account_id: id }) => id))).toEqual(
        new Set([owner.accountId, other.accountId]),
      ),
  },
  'Usage is not being sent 1': { sql: usage => expect(usage).toEqual([]) },
  'Usage is not being sent 2': { sh: () => undefined },
  'Stripe has counted other usage than was sent 1': {
    sh: out => expect(out).toContain('maintenance/compare-usage'),
  },
  'A payment was not credited 1': { sh: out => expect(out).toContain('reachable:false') },
  'A payment was not credited 2': { sql: findings => expect(findings).toEqual([]) },
  'Callers get 5xx responses 1': {
    sql: failures =>
      expect(failures.map(({ id, failure_code }) => [id, failure_code])).toEqual([
        [runs.failed.reportId, 'quorum_lost'],
      ]),
  },
  'Accounts are opened in a storm 1': {
    sql: domains => expect(domains).toContainEqual({ domain: 'example.test', count: expect.any(Number) }),
  },
  'Mails are not sent 1': { sql: accounts => expect(accounts).toEqual([]) },
  'Pause and resume maintenance 1': {
    sh: async out => {
      const manifest = manifestFor(['sample'], readTemporalManifest(projectFiles.temporalManifest));
      for (const duty of Object.keys(manifest.maintenance_every_seconds)) {
        expect(out).toContain(`maintenance/${duty}`);
      }
      await until(
        'it is active again',
        () => maintenanceInput('send-usage'),
        input => input.paused === null,
      );
    },
  },
  'Pause and resume maintenance 2': { sh: () => undefined },
  'Database roles 1': {
    sql: privileges => {
      const held = { role: 'council_service', table_name: 'ledger_entries', may: 'insert, select' };
      expect(privileges).toContainEqual(held);
    },
  },
  'A migration fails 1': { sql: () => undefined },
  'What is deleted, and when 1': { sh: () => undefined },
  'Cancel a run 1': {
    about: 'running',
    sh: async () => {
      expect((await other.untilEnded(runs.running.reportId)).status).toBe('failed');
      expect(await failureOf(runs.running)).toBe('cancelled');
    },
  },
  'Terminate a run: why not, and how it recovers 1': {
    about: 'hopeless',
    sh: async () => {
      await until('it is refunded', async () => (await failureOf(runs.hopeless)) === 'abandoned');
      expect((await other.ledger()).filter(({ kind }) => kind === 'refund')).toHaveLength(2);
    },
  },
  'Drain a worker 1': { sh: out => expect(out).toMatch(new RegExp(`^${service.worker.pid}@`, 'm')) },
  'Rotate keys 1': { sh: out => expect(out).toMatch(/^Re-encrypted 0 provider keys with "k1"/) },
  'Rotate keys 2': {
    sql: async () => {
      expect(await rows('select id from auth.jwks')).toEqual([]);
      // A new sign-in gets a valid session.
      const newcomer = await service.newCaller(0);
      expect((await newcomer.get('/api/keys', { as: 'session' })).status).toBe(200);
      expect(await rows('select id from auth.jwks')).toHaveLength(1);
    },
  },
  'Restore from a backup 1': { sh: out => expect(out).toMatch(/^The record is intact: \d+ entries/) },
  'Continuous archiving 1': { sql: archiver => expect(archiver).toHaveLength(1) },
};

describe("the operators' document", () => {
  test('has one expectation for each of its tested blocks, in the same order', () => {
    expect(Object.keys(expected)).toEqual(blocks.map(({ name }) => name));
  });

  test.each(blocks.map(block => [block.name, block] as const))('%s', async (name, { language, text }) => {
    const { about = 'failed', variables = {}, sh, sql } = expected[name] ?? {};
    const run = runs[about];
    if (language === 'sql') {
      if (sql === undefined) throw new Error(`no expectation for ${name}`);
      await sql(await inDatabase(text, run));
      return;
    }
    if (sh === undefined) throw new Error(`no expectation for ${name}`);
    const { code, out, err } = await inShell(text, {
      ...env,
      REPORT: String(run.reportId),
      RUN: run.workflowId,
      EVENT: run.eventId,
      ACCOUNT: owner.accountId,
      ...variables,
    });
    expect([code, code === 0 ? '' : err]).toEqual([0, '']);
    await sh(out);
  });

  test('finds nothing stuck among runs that are younger than ten minutes', async () => {
    const block = blocks.find(({ name }) => name === 'What is stuck? 1');
    const { code, out } = await inShell(block?.text ?? 'the block is gone', env);
    expect(code).toBe(0);
    expect(found(out)).toEqual([]);
  });
});
