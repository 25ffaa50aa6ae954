import type { Request } from 'express';
import { findResetAddress } from '../../db/accounts/accounts.js';
import { signedInNetworkKnownDays } from '../../purchase/limits.js';
import type { AttemptPolicy, PausePolicy } from '../../purchase/pauses.js';
import { PasswordsBusy } from '../auth/password-hashing.js';
import type { ApiContext } from '../context.js';
import { type Attempt, attemptOf } from './attempt-of.js';
import type { CountKey } from './count-key.js';
import { countedNetworks, networkOf } from './network.js';
import { type Admitted, createPauses, type Pauses, type Subject } from './pauses.js';

/** Throttles what is tried at the built-in accounts, by network and by account. */
export interface Attempts {
  /**
   * Runs the attempt unless it has to wait. It counts before its result is known, so that a thousand attempts at once
   * are not all the first.
   * @throws Problem `rate_limited`, the same whether the account exists or not
   */
  during(request: AccountsRequest, run: Run): Promise<globalThis.Response>;
}

/** A request to the built-in accounts. */
export interface AccountsRequest {
  readonly request: Request;
  /** Parsed JSON; null without a body. */
  readonly body: unknown;
  /** The e-mail address of the account whose session the request carries. Null without a valid session. */
  readonly sessionAddress: () => Promise<string | null>;
}

type Run = () => Promise<globalThis.Response>;
type AttemptContext = Pick<ApiContext, 'counts' | 'db' | 'limits' | 'metrics' | 'now'>;

export function createAttempts(context: AttemptContext, countKey: CountKey): Attempts {
  const { counts, limits } = context;
  const pauses = createPauses(counts, countKey);
  const knownKey = (account: string, network: string) => countKey('sign-in-known', account, network);
  return {
    async during(sent, run) {
      const attempt = attemptOf(sent.request, sent.body);
      if (attempt === null) return run();
      const policy = limits.attempts?.[attempt.kind] ?? null;
      if (policy === null) return measured(context, attempt, run);
      const network = networkOf(attempt.address);
      const account = await accountOf(attempt, sent);
      const isKnown = account !== null && (await counts.read(knownKey(account, network))) !== null;
      const subjects = subjectsOf(attempt, account, policy, isKnown);
      const admitted = await admitAll(context, pauses, attempt, subjects);
      try {
        const owner = attempt.kind === 'sign_in' ? account : await linkOwner(context, attempt);
        const response = await measured(context, attempt, run);
        const succeeded = outcomeOf(response) === 'succeeded';
        if (response.status >= 500 || (succeeded && policy.failuresOnly)) await giveBackAll(pauses, admitted);
        if (succeeded && owner !== null) {
          await forgetAccount(pauses, subjects);
          await counts.set(knownKey(owner, network), 1, signedInNetworkKnownDays * 86_400);
        }
        return response;
      } catch (error) {
        // The service failed, not the caller.
        await giveBackAll(pauses, admitted);
        throw error;
      }
    },
  };
}

/** Whose password, mail or account it is about, as far as the request says so. */
async function accountOf({ subject }: Attempt, sent: AccountsRequest): Promise<string | null> {
  if (subject.by === 'session') return sent.sessionAddress();
  return subject.by === 'address' ? subject.address : null;
}

/**
 * The account whose owner a success of the link proves to be at this network, as a right password does. Not that of a
 * sign-up, whose answer does not say whether the account existed.
 */
async function linkOwner({ db, now }: AttemptContext, { subject }: Attempt): Promise<string | null> {
  if (subject.by !== 'reset_link' || subject.token === null) return null;
  return findResetAddress(db, subject.token, now());
}

/**
 * Someone who signed in from this network before is held to a count of their own: strangers who try passwords on the
 * account elsewhere, or on other accounts from here, do not hold them up.
 */
function subjectsOf(
  { kind, address }: Attempt,
  account: string | null,
  policy: AttemptPolicy,
  isKnown: boolean,
): readonly Subject[] {
  const byNetwork = countedNetworks(address).map(
    ({ of, name, networks }): Subject => ({
      of,
      kind,
      values: [name],
      policy: widened(policy.address, networks),
    }),
  );
  if (policy.account === null || account === null) return byNetwork;
  if (isKnown && kind === 'sign_in')
    return [{ of: 'known', kind, values: [account, networkOf(address)], policy: policy.account }];
  return [...byNetwork, { of: 'account', kind, values: [account], policy: policy.account }];
}

/** The free tries of so many networks. */
function widened(policy: PausePolicy, networks: number): PausePolicy {
  return { ...policy, freeTries: policy.freeTries * networks };
}

async function admitAll(
  { metrics }: AttemptContext,
  pauses: Pauses,
  { kind }: Attempt,
  subjects: readonly Subject[],
): Promise<readonly Admitted[]> {
  const admitted: Admitted[] = [];
  try {
    for (const subject of subjects) admitted.push(await pauses.admit(subject));
    return admitted;
  } catch (error) {
    // An attempt that does not happen counts nowhere: a paused network cannot make an account's pause longer.
    await giveBackAll(pauses, admitted);
    metrics.throttled.inc({ limit: kind });
    throw error;
  }
}

async function giveBackAll(pauses: Pauses, admitted: readonly Admitted[]): Promise<void> {
  for (const each of admitted) await pauses.giveBack(each);
}

/** The count of the account begins again, that of the network does not: it may go on with other accounts. */
async function forgetAccount(pauses: Pauses, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects)
    if (subject.of === 'account' || subject.of === 'known') await pauses.forget(subject);
}

async function measured({ metrics }: AttemptContext, { kind }: Attempt, run: Run) {
  try {
    const response = await run();
    if (kind === 'sign_in' && response.status < 500) metrics.signIns.inc({ result: outcomeOf(response) });
    return response;
  } catch (error) {
    if (error instanceof PasswordsBusy) metrics.throttled.inc({ limit: 'passwords' });
    throw error;
  }
}

/** A link that does not work redirects to a page that says so. */
function outcomeOf({ status, headers }: globalThis.Response): 'succeeded' | 'failed' {
  return status >= 400 || /[?&]error=/.test(headers.get('location') ?? '') ? 'failed' : 'succeeded';
}
