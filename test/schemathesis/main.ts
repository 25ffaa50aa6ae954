import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTemporal } from '../../platform/embedded/temporal/find-temporal.js';
import { checkGenerators } from '../generators/check-generators.js';
import { LaunchedService } from '../start/launched-service.js';
import { startStripeStandIn } from '../support/stripe/stripe-stand-in.js';
import { type Identities, openAccounts, signIn } from './accounts.js';
import { type Results, resultsOf } from './results-of.js';
import { run } from './run.js';
import { stripeSettings, takeOutSubscription } from './subscription.js';

/**
 * Starts the compiled service with its own home and ports, simulated models and a stand-in for Stripe. Lints its
 * OpenAPI document, calls it with generated clients, and runs schemathesis against it with two accounts. Ends with a
 * line `N passed, N failed`, and with exit code 1 when something failed. Run by `run.sh`, which installs the tools.
 * With the argument `--only-generators` it leaves schemathesis out; other arguments are passed on to schemathesis.
 */

const configuration = 'test/schemathesis/schemathesis.toml';

const [first, ...others] = process.argv.slice(2);
const onlyGenerators = first === '--only-generators';

const folder = await mkdtemp(join(tmpdir(), 'council-schemathesis-'));
const stripe = await startStripeStandIn();
const service = await LaunchedService.inNewHome();
try {
  // On a new machine it is built first, which takes longer than a service may take to start.
  await findTemporal({ env: process.env, log: line => process.stderr.write(`${line}\n`) });
  const url = await service.start({
    ...stripeSettings(stripe),
    TEMPORAL_UI_PORT: '0',
    COUNCIL_PROVIDERS: 'simulated',
    MARKETS: 'sample',
  });
  const generators = await checkGenerators(
    url,
    service.key,
    process.env['GENERATOR_TOOLS'] ?? '',
    await newFolder('clients'),
  );
  const fuzzed = onlyGenerators ? { passed: 0, failed: 0 } : await fuzz(url);
  const [passed, failed] = [generators.passed + fuzzed.passed, generators.failed + fuzzed.failed];
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.stdout.write('0 passed, 1 failed\n');
  process.exitCode = 1;
} finally {
  await service.remove();
  await stripe.close();
  await rm(folder, { recursive: true, force: true });
}

async function newFolder(name: string): Promise<string> {
  await mkdir(join(folder, name));
  return join(folder, name);
}

async function fuzz(url: string): Promise<Results> {
  const identities = await openAccounts(url, service.key);
  // Of the visitor too, whose session the portal and the cancellation take.
  for (const who of [await signIn(url, service.demo), identities.visitor])
    await takeOutSubscription(stripe, url, who);
  const document = join(folder, 'openapi.json');
  const known = join(folder, 'identities.json');
  const report = join(folder, 'report.json');
  await writeFile(document, await (await fetch(`${url}/openapi.json`)).text());
  await writeFile(known, JSON.stringify(asFileOf(identities)), { mode: 0o600 });
  const isValid = (await run('openapi-spec-validator', [document])) === 0;
  const exitCode = await run(
    'schemathesis',
    [
      `--config-file=${configuration}`,
      'run',
      `${url}/openapi.json`,
      '--checks=all',
      '--report=json',
      `--report-json-path=${report}`,
      ...(first === undefined ? [] : [first, ...others]),
    ],
    { COUNCIL_IDENTITIES: known },
  );
  const { passed, failed } = resultsOf(await readFile(report, 'utf8').catch(() => ''), exitCode);
  return { passed: passed + (isValid ? 1 : 0), failed: failed + (isValid ? 0 : 1) };
}

/** The identities in the format of Web Fuzzing Commons. */
function asFileOf(identities: Identities): object {
  const auth = Object.entries(identities).map(([name, headers]) => ({
    name,
    fixedHeaders: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
  }));
  return { auth };
}
