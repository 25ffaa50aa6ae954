import { hasQuorum } from '../../council/deliberation/members.js';
import type { Environment } from '../command-context.js';
import { allChecks } from '../doctor/all-checks.js';
import { askModels, assessModels, describeFinding, type ModelFinding } from '../doctor/check-models.js';
import { createDoctorWorld } from '../doctor/doctor-world.js';
import { checkNames, type Finding, renderFindings } from '../doctor/finding.js';
import { type Check, runChecks } from '../doctor/run-checks.js';
import type { Output } from '../terminal/output.js';

/** What a model check takes beyond the time that a model has. */
const spareMs = 5_000;

/**
 * Looks at everything that the service stands on, whether it runs or not, and says what to do about what is wrong.
 * @returns false when there is a problem; a warning is none
 */
export async function diagnose(
  env: Environment,
  output: Output,
  { now }: { now: () => number },
): Promise<boolean> {
  const world = await createDoctorWorld(env, now);
  const { settings } = world;
  output.status('Looking at the set-up, and asking every model one short question');
  let models: readonly ModelFinding[] = [];
  const modelsCheck: Check = {
    name: 'models',
    withinMs: settings.STAGE_DEADLINES_MS.opinions + spareMs,
    look: async () => {
      models = await askModels(settings, new Date(now()).toISOString());
      return [assessModels(models)];
    },
  };
  const findings = await runChecks([...allChecks(world), modelsCheck], waiting =>
    output.flicker(`Waiting for: ${waiting.map(name => checkNames[name]).join(', ')}`),
  );
  const ok = findings.every(({ state }) => state !== 'problem');
  const quorum = hasQuorum(models.filter(({ works }) => works));
  const providers = settings.COUNCIL_PROVIDERS;
  output.result(
    { ok, findings, providers, quorum, models },
    [
      renderFindings(findings, output.paint),
      '',
      providers === 'simulated'
        ? 'The models are SIMULATED: no vendor was asked.'
        : 'Each model was asked one short question, as a report would ask it.',
      ...models.map(describeFinding),
      '',
      summary(findings),
    ].join('\n'),
  );
  return ok;
}

function summary(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter(finding => finding.state === state).length;
  const found = count('problem') === 0 ? 'Nothing is broken.' : 'Something is broken.';
  return `${found} Problems: ${count('problem')}, warnings: ${count('warning')}.`;
}
