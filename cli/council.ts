import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { encryptionKeys } from '../config/encryption-keys.js';
import { projectFiles } from '../config/project-files.js';
import { readSettings } from '../config/settings.js';
import { readTemporalManifest } from '../config/temporal-manifest.js';
import { createPaymentGateway } from '../payments/create-payment-gateway.js';
import { ApiProblem } from './api-problem.js';
import { checkLedger } from './commands/check-ledger.js';
import { diagnose } from './commands/diagnose.js';
import { evaluateForecasts } from './commands/evaluate-forecasts.js';
import { explainQuote } from './commands/explain-quote.js';
import { grantCredits } from './commands/grant-credits.js';
import { mintKey } from './commands/mint-key.js';
import { regradeReports } from './commands/regrade-reports.js';
import { rotateProviderKeys } from './commands/rotate-provider-keys.js';
import { runReport } from './commands/run-report.js';
import { showReport } from './commands/show-report.js';
import { checkRecord } from './commands/verify-record.js';
import { voidUsage } from './commands/void-usage.js';
import { CouncilApi } from './council-api.js';
import { createOutput } from './output.js';
import { findRunning } from './running-service.js';
import { selectionOf } from './selection-of.js';
import { temporalHere } from './temporal-here.js';
import { withDatabase } from './with-database.js';
import { withTemporal } from './with-temporal.js';

/** `npm run council`, a composition root: what people and operators do from a terminal. */
const wantsJson = process.argv.includes('--json');
const output = createOutput(wantsJson);

try {
  // `--json` may stand anywhere on the line, also behind a subcommand.
  await commands().parseAsync(process.argv.filter(argument => argument !== '--json'));
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode);
  const document =
    error instanceof ApiProblem
      ? error.document
      : { detail: error instanceof Error ? error.message : String(error) };
  if (wantsJson) console.log(JSON.stringify({ error: document }, null, 2));
  else console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

function commands(): Command {
  const council = new Command('council')
    .description('Puts prediction-market events before a council of four AI models.')
    .option('--json', 'print JSON on standard output')
    .showHelpAfterError()
    .exitOverride();
  const groups = [reportCommands, creditsCommands, keysCommands, providerKeysCommands, bookCommands];
  for (const command of groups.flatMap(group => group())) council.addCommand(command);
  council
    .command('doctor')
    .description('ask every model one cheap question, and say which would answer in a report')
    .action(async () => {
      const healthy = await diagnose(readSettings(process.env), output, { asOf: new Date().toISOString() });
      if (!healthy) process.exitCode = 1;
    });
  council
    .command('evaluate')
    .description("grade the council's method on a CSV file of answered questions (docs/evaluate.md)")
    .argument('<file>', 'id,outcome,market and a column a forecaster; probabilities from 0 to 1')
    .action((file: string) => evaluateForecasts(output, file));
  council
    .command('regrade')
    .description('operators: grade reports whose events are over; unless told which, those that are due')
    .addOption(new Option('--event <id>', 'those of one event').conflicts(['since', 'all']))
    .addOption(new Option('--since <date>', 'those completed on YYYY-MM-DD (UTC) or later').conflicts('all'))
    .option('--all', 'all that are in the record')
    .action(async (options: { event?: string; since?: string; all?: boolean }) => {
      const selection = selectionOf(options);
      const manifest = readTemporalManifest(projectFiles.temporalManifest);
      const settings = readSettings(process.env);
      const allGraded = await withTemporal(
        temporalHere(manifest, settings, process.env['TEMPORAL_PROFILE']),
        client => regradeReports(client, manifest, output, selection),
      );
      if (!allGraded) process.exitCode = 1;
    });
  return council;
}

function reportCommands(): Command {
  const report = group('report', 'run and read reports');
  report
    .command('run')
    .description('find an event, show the price, run the council and print its verdict')
    .argument('<search or event id>', 'an event id, or words to search for')
    .option('--max-credits <n>', 'do not run if it costs more than this', wholeNumber)
    .action((words: string, options: { maxCredits?: number }) =>
      runReport(customer(), output, { words, maxCredits: options.maxCredits ?? null }),
    );
  report
    .command('show')
    .description('print a report')
    .argument('<id>', 'the number of the report', wholeNumber)
    .action((id: number) => showReport(customer(), output, id));
  return report;
}

function creditsCommands(): Command {
  const credits = group('credits', 'operators: give credits');
  credits
    .command('grant')
    .description('give an account purchased credits; the ledger keeps the reason')
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--credits <n>', 'how many', wholeNumber)
    .requiredOption('--reason <text>', 'why, for the ledger')
    .action((grant: { email: string; credits: number; reason: string }) =>
      withDatabase(databaseUrl(), db => grantCredits(db, output, grant)),
    );
  return credits;
}

function keysCommands(): Command {
  const keys = group('keys', 'operators: API keys');
  keys
    .command('mint')
    .description('mint an API key for an account; it is shown this once')
    .requiredOption('--email <address>', 'the account')
    .requiredOption('--name <text>', 'what the key is for')
    .action((key: { email: string; name: string }) =>
      withDatabase(databaseUrl(), db => mintKey(db, output, key)),
    );
  return keys;
}

function providerKeysCommands(): Command {
  const providerKeys = group('provider-keys', "operators: the callers' own provider keys");
  providerKeys
    .command('rotate')
    .description('seal stored keys anew that are not sealed with the first of ENCRYPTION_KEYS')
    .action(() =>
      withDatabase(databaseUrl(), async db => {
        const ring = encryptionKeys(readSettings(process.env));
        if (!(await rotateProviderKeys(db, output, ring))) process.exitCode = 1;
      }),
    );
  return providerKeys;
}

function bookCommands(): Command[] {
  const ledger = group('ledger', 'operators: the books');
  ledger
    .command('check')
    .description('audit ledger, purchases, grants and usage; ends with 1 when the books do not add up')
    .action(() =>
      withDatabase(databaseUrl(), async db => {
        if (!(await checkLedger(db, output, new Date()))) process.exitCode = 1;
      }),
    );
  const quote = group('quote', 'operators: the price');
  quote
    .command('explain')
    .description('show what runs have cost, and how the price follows it')
    .option('--runs <n>', 'how many runs back', wholeNumber, 10)
    .action((options: { runs: number }) =>
      withDatabase(databaseUrl(), db => explainQuote(db, output, options)),
    );
  const usage = group('usage', 'operators: what subscriptions are billed for');
  usage
    .command('void')
    .description('take a report off the bill, here and at Stripe')
    .argument('<id>', 'the id of the usage')
    .requiredOption('--reason <text>', 'why; kept with the usage')
    .action((id: string, { reason }: { reason: string }) =>
      withDatabase(databaseUrl(), async db => {
        const payments = createPaymentGateway(readSettings(process.env));
        if (!(await voidUsage(db, payments, output, { id, reason, now: new Date() }))) process.exitCode = 1;
      }),
    );
  const record = group('record', 'operators: the public record');
  record
    .command('verify')
    .description('redo every hash of the record; ends with 1 when anything was changed, added or left out')
    .action(() =>
      withDatabase(databaseUrl(), async db => {
        if (!(await checkRecord(db, output))) process.exitCode = 1;
      }),
    );
  return [ledger, quote, usage, record];
}

function group(name: string, description: string): Command {
  return new Command(name).description(description).exitOverride();
}

function customer(): CouncilApi {
  const key = process.env['COUNCIL_API_KEY'];
  if (key === undefined || key === '') throw new Error('Set COUNCIL_API_KEY to your API key first.');
  return new CouncilApi(
    process.env['COUNCIL_BASE_URL'] ?? runningHere()?.url ?? 'http://127.0.0.1:3000',
    key,
  );
}

function databaseUrl(): string {
  const url = readSettings(process.env).DATABASE_URL ?? runningHere()?.databaseUrl;
  if (url !== undefined) return url;
  throw new Error('Set DATABASE_URL, or start the service here (`npm start`): it brings its own database.');
}

function runningHere() {
  return findRunning(readSettings(process.env).COUNCIL_HOME);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 is needed');
  return Number(text);
}
