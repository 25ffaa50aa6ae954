import type { Lane, Pool } from '../../../purchase/purchase.js';
import {
  cachedCredits,
  honouredCredits,
  nextQuote,
  openingQuote,
  type WindowedQuote,
} from '../../../purchase/quote.js';
import type { BoughtPack, Lot, Predicted, Purse, Run } from './money-state.js';

/** The ceilings of the model, in micro-dollars, which weekly grants of unverified accounts do not reach. */
export const modelPolicy = {
  houseLimitUsdMicros: 6_000_000,
  grantLimitUsdMicros: 1_000_000,
  grantNeedsVerifiedAddress: true,
};

const packCredits = 500;
const packUsdCents = 700;

const hourMs = 3_600_000;
const quarterMs = hourMs / 4;
const weekMs = 7 * 24 * hourMs;
/** Monday, 1970-01-05. */
const firstMondayMs = 4 * 24 * hourMs;

/**
 * A model of the money rules in memory, with lists and numbers and no database. It predicts every answer and
 * every balance; the tests compare the service with it.
 */
export class MoneyOracle {
  now: number;
  /** Null before the first completed run. */
  quote: WindowedQuote | null;
  readonly purses = new Map<string, Purse>();
  readonly runs: Run[] = [];
  readonly packs: BoughtPack[] = [];
  /** Every call: when, and of which run. */
  readonly calls: { readonly at: number; readonly run: Run; readonly cost: number }[] = [];
  readonly keys: { readonly account: string; readonly id: string; readonly hash: Buffer; live: boolean }[] =
    [];
  /** Accounts that own a report because they bought it as cached. */
  readonly copies: { account: string; event: string; day: string; pool: Pool | null }[] = [];

  constructor(now: number, quote: WindowedQuote | null) {
    this.now = now;
    this.quote = quote;
  }

  get freshCredits(): number {
    return (this.quote ?? openingQuote).freshCredits;
  }

  open(account: string): void {
    const off = { subscribed: false, hasKeys: false, suspended: false };
    this.purses.set(account, { purchased: 0, lots: [], ...off, verified: true, usageCents: 0 });
  }

  purse(account: string): Purse {
    const purse = this.purses.get(account);
    if (purse === undefined) throw new Error('no such account');
    return purse;
  }

  get day(): string {
    return dayOf(this.now);
  }

  runsLeft(account: string): number {
    const recent = this.runs.filter(run => run.account === account && run.at > this.now - hourMs);
    const refunded = recent.filter(run => run.state === 'refunded').length;
    const counted = recent.length - refunded + Math.max(0, refunded - 5);
    return Math.max(0, 5 - counted);
  }

  /** Whether the event's last two failures were close together and the last one is recent. */
  private rests(event: string): boolean {
    const [last, earlier] = this.runs
      .flatMap(run => (run.event === event && run.lane !== 'byok' ? (run.failedAt ?? []) : []))
      .sort((a, b) => b - a);
    if (last === undefined || earlier === undefined) return false;
    return last - earlier <= quarterMs && this.now < last + quarterMs;
  }

  usableLot(account: string): Lot | null {
    const { lots, verified } = this.purse(account);
    if (!verified) return null;
    const givenBack = lots.find(lot => !lot.used && lot.usableUntil > this.now);
    if (givenBack !== undefined) return givenBack;
    const week = weekNumber(this.now);
    return lots.some(lot => lot.week === week)
      ? null
      : { week, held: 0, used: false, usableUntil: endOf(week) };
  }

  /** What the runs of the house take today: their calls of the day, and what is still expected of open ones. */
  private taken(isCounted: (run: Run) => boolean): number {
    const counted = (run: Run) => run.lane !== 'byok' && isCounted(run);
    const today = this.calls.filter(({ at, run }) => counted(run) && dayOf(at) === this.day);
    const estimate = Math.max(200_000, (this.quote ?? openingQuote).estimateUsdMicros);
    const open = this.runs.filter(run => counted(run) && this.isOpen(run));
    return sumOf(today.map(({ cost }) => cost)) + sumOf(open.map(run => Math.max(0, estimate - run.cost)));
  }

  /** After two hours Temporal ends a run, which is then refunded. */
  private isOpen({ state, at }: Run): boolean {
    return state === 'in flight' && at > this.now - 2 * hourMs;
  }

  private isHouseFull(): boolean {
    return this.taken(() => true) >= modelPolicy.houseLimitUsdMicros;
  }

  private areGrantsUsedUp(): boolean {
    return this.taken(run => run.pool === 'weekly_grant') >= modelPolicy.grantLimitUsdMicros;
  }

  /** Predicts the answer to a purchase without changing anything. */
  predict(
    account: string,
    event: string,
    lane: Lane,
    { quoted, quotedPool }: { quoted: number | null; quotedPool: Pool | null },
  ): Predicted {
    const purse = this.purse(account);
    const same = (each: { account: string; event: string; day: string }): boolean =>
      each.account === account && each.event === event && each.day === this.day;
    const own = this.runs.find(run => same(run) && run.state !== 'refunded') ?? this.copies.find(same);
    if (own !== undefined) return { kind: 'owned', credits: 0, pool: own.pool };
    if (purse.suspended) return { refused: 'account_suspended' };
    if (lane === 'subscription' && !purse.subscribed) return { refused: 'lane_unavailable' };
    if (lane === 'byok' && !purse.hasKeys) return { refused: 'lane_unavailable' };

    const shared = this.runs.some(
      run => run.event === event && run.day === this.day && run.state === 'completed',
    );
    const kind = shared ? 'cached' : 'fresh';
    if (kind === 'fresh' && lane !== 'byok' && this.isHouseFull()) return { refused: 'house_limit_reached' };
    if (kind === 'fresh' && this.rests(event)) return { refused: 'unavailable' };
    if (kind === 'fresh' && this.runsLeft(account) === 0) return { refused: 'run_limit_exceeded' };
    if (lane === 'subscription') return { kind, credits: 0, pool: null };

    const credits = honouredCredits(this.price(kind, lane), quoted);
    if (credits === null) return { refused: 'quote_expired' };
    const owes = this.owedCredits(account) > 0;
    const granted = lane === 'credits' && kind === 'fresh' && !owes && this.usableLot(account) !== null;
    if (granted && !this.areGrantsUsedUp()) return { kind, credits, pool: 'weekly_grant' };
    if (granted && (purse.purchased < credits || quotedPool !== 'purchased'))
      return { refused: 'house_limit_reached' };
    if (quotedPool === 'weekly_grant') return { refused: 'quote_expired' };
    if (owes) return { refused: 'insufficient_credits' };
    if (purse.purchased < credits) return { refused: 'insufficient_credits' };
    return { kind, credits, pool: 'purchased' };
  }

  private price(kind: 'fresh' | 'cached', lane: Lane): number {
    const fresh = this.freshCredits;
    if (lane === 'byok') return kind === 'fresh' ? 50 : Math.min(50, cachedCredits(fresh));
    return kind === 'fresh' ? fresh : cachedCredits(fresh);
  }

  /** Applies a predicted purchase. */
  settle(
    purchase: { account: string; event: string; lane: Lane; purchaseId: string; reportId: number },
    predicted: Extract<Predicted, { kind: string }>,
  ): void {
    if (predicted.kind === 'owned') return;
    const { account, event, lane } = purchase;
    const { credits, pool } = predicted;
    const purse = this.purse(account);
    const lot = pool === 'weekly_grant' ? this.usableLot(account) : null;
    if (lot !== null) {
      if (!purse.lots.includes(lot)) purse.lots.push(lot);
      lot.used = true;
      lot.held = 0;
    }
    if (pool === 'purchased') purse.purchased -= credits;
    if (predicted.kind === 'cached') {
      this.copies.push({ account, event, day: this.day, pool });
      if (lane === 'subscription') purse.usageCents += 150;
      return;
    }
    const bought = { ...purchase, day: this.day, at: this.now, pool, credits, lot };
    this.runs.push({ ...bought, cost: 0, state: 'in flight', failedAt: null });
  }

  /** A call to a model, of a run that may have ended. */
  call(run: Run, cost: number): void {
    run.cost += cost;
    this.calls.push({ at: this.now, run, cost });
  }

  complete(run: Run, lastCallCost: number): void {
    if (run.state !== 'in flight') return;
    this.call(run, lastCallCost);
    run.state = 'completed';
    if (run.lane !== 'byok') {
      this.quote = nextQuote(this.quote, { costUsdMicros: run.cost, completedAt: new Date(this.now) });
    }
    if (run.lane === 'subscription') this.purse(run.account).usageCents += 300;
  }

  fail(run: Run): void {
    if (run.state !== 'in flight') return;
    run.state = 'refunded';
    run.failedAt = this.now;
    if (run.pool === 'purchased') this.add(run.account, run.credits);
    if (run.lot !== null) {
      run.lot.used = false;
      run.lot.held = run.credits;
      run.lot.usableUntil = endOf(weekNumber(this.now));
    }
  }

  buyPack(pack: Pick<BoughtPack, 'account' | 'sessionId' | 'paymentIntentId'>): void {
    this.packs.push({ ...pack, required: 0, taken: 0 });
    this.add(pack.account, packCredits);
  }

  /** A refund takes back what is in the balance; a won dispute returns what was taken, also from later packs. */
  changePayment(pack: BoughtPack, refundedUsdCents: number, disputed: boolean): void {
    pack.required = disputed ? packCredits : Math.ceil((packCredits * refundedUsdCents) / packUsdCents);
    const returned = Math.max(0, pack.taken - pack.required);
    pack.taken -= returned;
    this.add(pack.account, returned);
  }

  owedCredits(account: string): number {
    const own = this.packs.filter(pack => pack.account === account);
    return own.reduce((sum, pack) => sum + pack.required - pack.taken, 0);
  }

  /** Credits that reach the pool pay first what the account owes, for its oldest pack first. */
  add(account: string, credits: number): void {
    const purse = this.purse(account);
    purse.purchased += credits;
    for (const pack of this.packs.filter(each => each.account === account)) {
      const collected = Math.min(purse.purchased, pack.required - pack.taken);
      purse.purchased -= collected;
      pack.taken += collected;
    }
  }

  expire(): void {
    for (const { lots } of this.purses.values()) {
      for (const lot of lots) if (lot.usableUntil <= this.now) lot.held = 0;
    }
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function weekNumber(ms: number): number {
  return Math.floor((ms - firstMondayMs) / weekMs);
}

function endOf(week: number): number {
  return firstMondayMs + (week + 1) * weekMs;
}
