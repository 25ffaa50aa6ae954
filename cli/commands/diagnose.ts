import type { Command } from 'commander';
import { hasQuorum } from '../../council/deliberation/members.js';
import type { Environment } from '../../platform/settings/settings.js';
import type { CommandContext } from '../command-context.js';
import { checkClock } from '../doctor/check-clock.js';
import { checkDatabase, checkEncryptionKeys } from '../doctor/check-database.js';
import { checkHome, checkNode, checkSettings } from '../doctor/check-machine.js';
import {
  askModels,
  assessModels,
  describeModel,
  describeSearch,
  type ModelFinding,
} from '../doctor/check-models.js';
import { checkPayments } from '../doctor/check-payments.js';
import { checkApiKey, checkPort, checkService, checkUiPort } from '../doctor/check-service.js';
import { checkTemporal } from '../doctor/check-temporal.js';
import { checkTimestamps } from '../doctor/check-timestamps.js';
import { checkVenues } from '../doctor/check-venues.js';
import { createDoctorContext, type DoctorContext } from '../doctor/doctor-context.js';
import { checkNames, type Finding, renderFindings } from '../doctor/finding.js';
import { type Check, runChecks } from '../doctor/run-checks.js';
import { examples } from '../terminal/command-line.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('doctor')
    .description(
      'Checks settings, ports, keys, database, Temporal, clock, payments, time stamps and venues, and asks every model one cheap question. For each it prints what it found and what to do. Works whether the service runs or not, and changes nothing. Exits with 1 if there is a problem.',
    )
    .summary('find problems of this set-up, and say how to fix them')
    .addHelpText('after', examples('doctor', 'doctor --json'))
    .action(async () => {
      if (!(await diagnose(context.env, context.output, { now: Date.now }))) context.markFailed();
    });
}

/** What the check of the models may take beyond the deadline of a stage. */
const modelsMarginMs = 5_000;

/**
 * Checks everything that the service depends on, whether it runs or not, and says how to fix what is wrong.
 * @returns false when there is a problem; warnings do not count
 */
export async function diagnose(
  env: Environment,
  output: Output,
  { now }: { now: () => number },
): Promise<boolean> {
  const context = await createDoctorContext(env, now);
  const {
    STAGE_DEADLINES_MS: deadlines,
    RESEARCH_DEADLINE_MS,
    COUNCIL_PROVIDERS: providers,
  } = context.settings;
  output.status(
    'Checking the set-up, and asking every model one short question and, if it searches, for one search',
  );
  let models: readonly ModelFinding[] = [];
  const modelsCheck: Check = {
    name: 'models',
    timeoutMs: Math.max(deadlines.opinions, RESEARCH_DEADLINE_MS) + modelsMarginMs,
    run: async () => {
      models = await askModels(context.settings, new Date(now()).toISOString());
      return assessModels(models);
    },
  };
  const findings = await runChecks([...localChecks(context), modelsCheck], waiting =>
    output.flicker(`Waiting for: ${waiting.map(name => checkNames[name]).join(', ')}`),
  );
  const ok = findings.every(({ state }) => state !== 'problem');
  const quorum = hasQuorum(models.filter(({ works }) => works));
  output.result(
    { ok, findings, providers, quorum, models },
    [
      renderFindings(findings, output.paint),
      '',
      providers === 'simulated'
        ? 'The models are SIMULATED: no vendor was asked.'
        : 'Each model was asked one short question, and searched once if it searches, the way a report does.',
      ...models.map(describeModel),
      ...models.flatMap(describeSearch),
      '',
      summary(findings),
    ].join('\n'),
  );
  return ok;
}

/** All checks but that of the models, which takes longer. */
function localChecks(context: DoctorContext): readonly Check[] {
  const [short, medium, long] = [5_000, 8_000, 15_000];
  return [
    { name: 'settings', timeoutMs: short, run: () => checkSettings(context) },
    { name: 'node', timeoutMs: short, run: () => checkNode() },
    { name: 'home', timeoutMs: short, run: () => checkHome(context) },
    { name: 'service', timeoutMs: medium, run: () => checkService(context) },
    { name: 'api_key', timeoutMs: medium, run: () => checkApiKey(context) },
    { name: 'port', timeoutMs: medium, run: () => checkPort(context) },
    { name: 'ui_port', timeoutMs: medium, run: () => checkUiPort(context) },
    { name: 'encryption_keys', timeoutMs: medium, run: () => checkEncryptionKeys(context) },
    { name: 'database', timeoutMs: medium, run: () => checkDatabase(context) },
    { name: 'temporal', timeoutMs: long, run: () => checkTemporal(context) },
    { name: 'clock', timeoutMs: medium, run: () => checkClock(context) },
    { name: 'payments', timeoutMs: long, run: () => checkPayments(context) },
    { name: 'timestamps', timeoutMs: long, run: () => checkTimestamps(context) },
    { name: 'venues', timeoutMs: long, run: () => checkVenues(context) },
  ];
}

function summary(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter(finding => finding.state === state).length;
  const conclusion = count('problem') === 0 ? 'No problem found.' : 'Problems found.';
  return `${conclusion} Problems: ${count('problem')}, warnings: ${count('warning')}.`;
}
