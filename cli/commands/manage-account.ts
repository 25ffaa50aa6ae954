import type { Command } from 'commander';
import { findAccount, markEmailVerified } from '../../db/accounts/accounts.js';
import { listApiKeys } from '../../db/accounts/api-keys.js';
import { listLastPurchases } from '../../db/accounts/overview.js';
import { readSuspension, restoreAccount, suspendAccount } from '../../db/accounts/standing.js';
import { readOwedCredits } from '../../db/billing/reverse-purchase.js';
import type { Db } from '../../db/database.js';
import { balanceCredits } from '../../db/ledger/ledger.js';
import { findUsableGrant } from '../../db/ledger/weekly-grants.js';
import { salesPolicyOf } from '../../platform/settings/settings.js';
import type { SalesPolicy } from '../../purchase/house-ceilings.js';
import type { CommandContext } from '../command-context.js';
import { checkReason, commandLine, examples } from '../terminal/command-line.js';
import { Failure } from '../terminal/failure.js';
import { type AccountOptions, accountNamed, named, requireAccount } from './find-account.js';

/** Adds the commands of this file to their group. Each ends with what the account is afterwards. */
export function register(group: Command, context: CommandContext): void {
  const { output } = context;
  const add = (
    name: string,
    act: (subject: Subject) => Promise<readonly string[]>,
    next?: (id: string) => string,
  ) =>
    named(group.command(name)).action(({ reason = '', ...options }: AccountOptions & { reason?: string }) => {
      const at = { policy: salesPolicyOf(context.settings()), now: new Date() };
      const account = accountNamed(options);
      return context.database(async db => {
        const { id } = await requireAccount(db, account);
        const done = await act({ db, id, reason, now: at.now });
        const document = await describeAccount(db, id, at);
        output.result(document, [...done, ...linesOf(document)].join('\n'));
        if (next !== undefined) output.next(next(id));
      });
    });
  add('show', async () => [])
    .description('Shows an account: its address, whether it may buy, its credits, keys and last purchases.')
    .summary('show an account')
    .addHelpText('after', examples('accounts show --email you@example.com', 'accounts show --id ID --json'));
  add('suspend', suspend, id => `To let it buy again: ${commandLine(`accounts restore --id ${id}`)}`)
    .description(
      'Suspends an account: it buys nothing more. It still reads what it owns, and its open runs end as always.',
    )
    .summary('stop an account from buying')
    .requiredOption('--reason <text>', 'the reason, for other operators')
    .addHelpText('after', examples('accounts suspend --email you@example.com --reason "made-up addresses"'));
  add('restore', restore)
    .description('Lets a suspended account buy again.')
    .summary('let an account buy again')
    .addHelpText('after', examples('accounts restore --email you@example.com'));
  add('verify', verify)
    .description("Takes the address of an account as its owner's, without a mail.")
    .summary('verify the address of an account')
    .addHelpText('after', examples('accounts verify --id ID'));
}

/** The account that an operator changes. Each change says what was done. */
interface Subject {
  readonly db: Db;
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
}

async function suspend({ db, id: accountId, reason, now }: Subject): Promise<readonly string[]> {
  checkReason(reason);
  const isNew = await suspendAccount(db, { accountId, reason, now });
  return [isNew ? 'Suspended.' : 'It was suspended already; the first reason stays.'];
}

async function restore({ db, id }: Subject): Promise<readonly string[]> {
  return [(await restoreAccount(db, id)) ? 'Restored.' : 'It was not suspended.'];
}

/** For an owner whom no mail reaches. The operator answers for it that the address is theirs. */
async function verify({ db, id, now }: Subject): Promise<readonly string[]> {
  if ((await markEmailVerified(db, id, now)) !== null) return ['Its address is verified.'];
  throw new Failure(`The account ${id} has no address.`, { next: 'There is nothing to verify.' });
}

const shownPurchases = 5;

async function describeAccount(db: Db, id: string, at: { policy: SalesPolicy; now: Date }) {
  const account = await findAccount(db, id);
  const suspension = await readSuspension(db, id);
  const keys = await listApiKeys(db, id, at.now);
  const purchases = await listLastPurchases(db, id, shownPurchases);
  return {
    account_id: id,
    email: account?.email ?? null,
    email_verified_at: account?.emailVerifiedAt?.toISOString() ?? null,
    suspended_at: suspension?.suspendedAt.toISOString() ?? null,
    suspended_because: suspension?.reason ?? null,
    balance_credits: await balanceCredits(db, id, 'purchased'),
    owed_credits: await readOwedCredits(db, id),
    weekly_grant_available: (await findUsableGrant(db, id, at)) !== null,
    keys: keys.map(key => ({
      id: key.id,
      name: key.name,
      key_prefix: key.key_prefix,
      scope: key.scope,
      expires_at: key.expires_at?.toISOString() ?? null,
      max_credits_per_day: key.max_credits_per_day,
      last_used_at: key.last_used_at?.toISOString() ?? null,
      last_used_from: key.last_used_from,
    })),
    last_purchases: purchases.map(({ at, reportId, ...purchase }) => ({
      at: at.toISOString(),
      report_id: reportId,
      ...purchase,
    })),
  };
}

type AccountDocument = Awaited<ReturnType<typeof describeAccount>>;

function linesOf(account: AccountDocument): string[] {
  const { email, email_verified_at, suspended_at, suspended_because, keys } = account;
  const grant = account.weekly_grant_available ? 'available' : 'not available';
  return [
    `account ${account.account_id}, ${email ?? 'without an address'}`,
    `  address: ${email_verified_at === null ? 'not verified' : `verified since ${email_verified_at}`}`,
    `  suspended: ${suspended_at === null ? 'no' : `since ${suspended_at}: ${suspended_because}`}`,
    `  credits: ${account.balance_credits} purchased, ${account.owed_credits} owed; weekly grant ${grant}`,
    ...keys.map(key => `  key ${key.key_prefix} (${key.name}), last used ${key.last_used_at ?? 'never'}`),
    ...account.last_purchases.map(
      ({ at, report_id, kind, lane, pool, credits, state }) =>
        `  ${at}  report ${report_id}, ${kind}, ${lane}${pool === null ? '' : ` from ${pool}`}, ${credits} credits, ${state}`,
    ),
  ];
}
