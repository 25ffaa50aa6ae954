import type { Command } from 'commander';
import { z } from 'zod';
import { type Account, findAccount, findAccountsByEmail } from '../../db/accounts/accounts.js';
import type { Db } from '../../db/database.js';
import { exitCodes, Failure } from '../terminal/failure.js';

/** An account as an operator names it. */
export type AccountName = { readonly email: string } | { readonly id: string };

/** Options that name an account: exactly one of them. */
export interface AccountOptions {
  readonly email?: string;
  readonly id?: string;
}

/** Adds the options that name an account. */
export function named(command: Command): Command {
  return command
    .option('--email <address>', 'the account, by its address')
    .option('--id <id>', 'the account, by its id');
}

/** The account that the options `--email` and `--id` name. @throws Failure unless exactly one of them is set */
export function accountNamed({ email, id }: AccountOptions): AccountName {
  if (email !== undefined && id === undefined) return { email };
  if (id !== undefined && email === undefined) return { id };
  throw new Failure('The command needs exactly one account.', {
    next: 'Name it by --email or by --id, not by both.',
    exitCode: exitCodes.usage,
  });
}

/** @throws Failure unless there is exactly one such account */
export function requireAccount(db: Db, name: AccountName): Promise<Account> {
  return 'id' in name ? requireAccountById(db, name.id) : requireAccountByEmail(db, name.email);
}

async function requireAccountById(db: Db, id: string): Promise<Account> {
  const account = z.uuid().safeParse(id).success ? await findAccount(db, id) : null;
  if (account !== null) return account;
  throw new Failure(`There is no account with the id ${id}.`, { next: 'Correct --id, or use --email.' });
}

async function requireAccountByEmail(db: Db, email: string): Promise<Account> {
  const [account, ...others] = await findAccountsByEmail(db, email);
  if (account === undefined) {
    throw new Failure(`There is no account with the address ${email}.`, {
      next: 'Its owner must first sign up, in the browser or at /api/auth/sign-up/email, and sign in once. Or correct --email.',
    });
  }
  if (others.length === 0) return account;
  const ids = [account, ...others].map(({ id }) => id);
  const state = account.emailVerifiedAt === null ? 'have' : 'have verified';
  throw new Failure(`${ids.length} accounts ${state} the address ${email}: ${ids.join(', ')}.`, {
    next: 'Find out which one is meant, and name it by --id.',
  });
}
