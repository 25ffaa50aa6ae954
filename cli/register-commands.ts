import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** A file of `commands/`, which adds its commands to their group. */
type Load = () => Promise<{ readonly register: (group: Command, context: CommandContext) => void }>;

interface Group {
  /** Null for a command without a group. */
  readonly about: string | null;
  readonly files: readonly Load[];
}

/** All commands by their first word. A file is loaded when its command is typed, or a help lists it. */
const groups: Readonly<Record<string, Group>> = {
  report: {
    about: 'run and read reports; requires COUNCIL_API_KEY',
    files: [() => import('./commands/run-report.js')],
  },
  batch: {
    about: 'buy and follow many reports; requires COUNCIL_API_KEY',
    files: [
      () => import('./commands/batch/run-batch.js'),
      () => import('./commands/batch/show-batches.js'),
      () => import('./commands/batch/change-batch.js'),
      () => import('./commands/batch/download-results.js'),
    ],
  },
  regrade: { about: null, files: [() => import('./commands/regrade/regrade-reports.js')] },
  evaluate: { about: null, files: [() => import('./commands/grading/evaluate-forecasts.js')] },
  grade: { about: null, files: [() => import('./commands/grading/grade-forecasts.js')] },
  weights: {
    about: 'operators: the weights of the estimate',
    files: [
      () => import('./commands/weights/fit-weights.js'),
      () => import('./commands/weights/show-weights.js'),
    ],
  },
  evidence: {
    about: 'operators: what the members read',
    files: [() => import('./commands/probe-evidence.js')],
  },
  accounts: { about: 'operators: accounts', files: [() => import('./commands/manage-account.js')] },
  credits: { about: 'operators: grant credits', files: [() => import('./commands/grant-credits.js')] },
  keys: { about: 'operators: API keys', files: [() => import('./commands/manage-keys.js')] },
  webhooks: {
    about: 'operators: webhooks of an account',
    files: [
      () => import('./commands/webhooks/manage-webhooks.js'),
      () => import('./commands/webhooks/send-deliveries.js'),
    ],
  },
  'provider-keys': {
    about: 'operators: provider keys that customers store',
    files: [() => import('./commands/rotate-provider-keys.js')],
  },
  ledger: { about: 'operators: the books', files: [() => import('./commands/check-books.js')] },
  quote: { about: 'operators: the price', files: [() => import('./commands/explain-quote.js')] },
  spend: { about: null, files: [() => import('./commands/show-spend.js')] },
  usage: {
    about: 'operators: metered usage of subscriptions',
    files: [() => import('./commands/correct-usage.js'), () => import('./commands/send-usage.js')],
  },
  payments: {
    about: 'operators: payments that need a person',
    files: [() => import('./commands/settle-payment.js')],
  },
  record: { about: 'operators: the public record', files: [() => import('./commands/verify-record.js')] },
  venues: {
    about: 'operators: the market platforms',
    files: [() => import('./commands/check-venues.js')],
  },
  temporal: {
    about: 'operators: the Temporal server',
    files: [() => import('./commands/apply-temporal.js')],
  },
  simulator: { about: null, files: [() => import('./commands/serve-simulator.js')] },
  doctor: { about: null, files: [() => import('./commands/diagnose.js')] },
};

/** Adds the command that the first word names, or all commands if it names none. */
export async function registerCommands(
  council: Command,
  context: CommandContext,
  first: string | undefined,
): Promise<void> {
  const wanted = Object.entries(groups).filter(([name]) => name === first);
  for (const [name, { about, files }] of wanted.length > 0 ? wanted : Object.entries(groups)) {
    const group = about === null ? council : council.command(name).description(about);
    for (const { register } of await Promise.all(files.map(load => load()))) register(group, context);
  }
}
