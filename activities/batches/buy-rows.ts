import { setTimeout as pause } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import { listWaitingRows, refuseRow, type WaitingRow } from '../../db/batches/batch-rows.js';
import { readBatch, type StoredBatch } from '../../db/batches/batches.js';
import { endBatch, pauseBatch, resumeBatch } from '../../db/batches/change-batch.js';
import { findFailingMember, readThrottledSlots } from '../../db/batches/member-health.js';
import { MarketUnavailable } from '../../markets/event-source.js';
import {
  type AfterRefusal,
  afterRefusal,
  type BatchProgress,
  type OwnPause,
  rowsInWindow,
  type ThrottledSlots,
} from '../../purchase/batches.js';
import { isRefusal } from '../../purchase/purchase.js';
import type { RefusalCode } from '../../purchase/refusal.js';
import { OutcomeUnknown } from '../../sales/purchase-existing.js';
import { createTemporalPurchaser, type PurchaserOptions } from '../../sales/temporal-purchaser.js';
import { withHeartbeat } from '../with-heartbeat.js';
import { type BuyRowDependencies, buyRow } from './buy-row.js';

export type BuyRowsDependencies = PageDependencies & PurchaserDependencies;

interface PageDependencies extends Omit<BuyRowDependencies, 'purchaser'> {
  /** Aborted when the worker is asked to stop: a page then ends, and another worker has the next one. */
  readonly stopping: AbortSignal;
}

type PurchaserDependencies = Omit<PurchaserOptions, 'runs'>;

export interface BuyRowsInput {
  readonly batchId: string;
  readonly accountId: string;
  readonly runs: PurchaserOptions['runs'];
}

/** What came of a page, and what the batch does next. */
export interface RowPage {
  readonly progress: BatchProgress;
  /** `wait`: until the batch is changed, or for `waitMs` at most (null: without an end). */
  readonly next: 'page' | 'wait' | 'ended';
  readonly waitMs: number | null;
}

/** A page ends after so many rows or so long. Shorter than the time that a worker has to stop in. */
const rowsPerPage = 50;
const pageMaxMs = 30_000;

/** How soon a place is noticed that a report has left. */
const placesReadEveryMs = 500;

const throttledReadEveryMs = 2_000;

/** A batch that waits for a day or a place looks again after this time. */
const holdMaxMs = 10 * 60_000;

/** A row that could not be bought for a reason that may pass is tried again after this time at the earliest. */
const retryMinMs = 1_000;

/** Buys the rows of a batch as its places in flight become free, until the page is full or the batch cannot go on. */
export async function buyRows(deps: BuyRowsDependencies, input: BuyRowsInput): Promise<RowPage> {
  const purchaser = createTemporalPurchaser({ ...deps, runs: input.runs });
  return withHeartbeat(() => new Page({ ...deps, purchaser }, input).buy());
}

class Page {
  private readonly deps: PageDependencies & BuyRowDependencies;
  private readonly input: BuyRowsInput;
  private readonly endsAtMs: number;
  /** The rows that are being bought. */
  private readonly open = new Map<number, Promise<void>>();
  /** Not before this time, in Unix milliseconds, is a row tried again. */
  private readonly laterRows = new Map<number, number>();
  private notBeforeMs = 0;
  private throttled: ThrottledSlots = {};
  private throttledAtMs = 0;
  private bought = 0;
  private failure: unknown = null;

  constructor(deps: PageDependencies & BuyRowDependencies, input: BuyRowsInput) {
    this.deps = deps;
    this.input = input;
    this.endsAtMs = this.nowMs() + pageMaxMs;
  }

  async buy(): Promise<RowPage> {
    const { db, now } = this.deps;
    await resumeBatch(db, this.input.batchId, now());
    try {
      return await this.buyUntilFull();
    } finally {
      await Promise.all(this.open.values());
    }
  }

  private async buyUntilFull(): Promise<RowPage> {
    for (;;) {
      if (this.failure !== null) throw this.failure;
      const batch = await readBatch(this.deps.db, this.input.batchId);
      const isIdle = this.open.size === 0;
      if (batch.status !== 'running') {
        if (isIdle) return heldPage(batch, this.nowMs());
      } else if (isIdle && batch.rows.waiting + batch.rows.running === 0) {
        if (await endBatch(this.deps.db, batch, this.deps.now())) return this.endedPage();
      } else if (isIdle && batch.rows.running === 0 && this.holdsBackMs() > pageMaxMs) {
        return pageOf(batch, 'wait', Math.min(this.holdsBackMs(), holdMaxMs));
      } else if (this.isFull()) {
        if (isIdle) return pageOf(batch, 'page');
      } else {
        await this.fillPlaces(batch);
      }
      await this.untilChanged();
    }
  }

  private async fillPlaces(batch: StoredBatch): Promise<void> {
    const { db, now } = this.deps;
    if (this.nowMs() < this.notBeforeMs) return;
    const failing = await findFailingMember(db, batch.id);
    if (failing !== null) return pauseBatch(db, batch, { reason: 'member', member: failing }, now());
    const window = rowsInWindow(batch.maxInFlight, await this.readThrottled(batch));
    const places = window - batch.rows.running - this.open.size;
    if (places <= 0) return;
    const rows = await listWaitingRows(db, batch.id, rowsPerPage);
    const due = rows.filter(row => this.isDue(row)).slice(0, places);
    for (const row of due) this.open.set(row.position, this.buyOne(batch, row));
  }

  /** Which members are refused, at most two seconds old. */
  private async readThrottled({ accountId, lane }: StoredBatch): Promise<ThrottledSlots> {
    if (this.nowMs() - this.throttledAtMs < throttledReadEveryMs) return this.throttled;
    this.throttledAtMs = this.nowMs();
    this.throttled = await readThrottledSlots(this.deps.db, {
      byokOf: lane === 'byok' ? accountId : null,
      now: this.deps.now(),
    });
    return this.throttled;
  }

  private isDue({ position }: WaitingRow): boolean {
    return !this.open.has(position) && this.nowMs() >= (this.laterRows.get(position) ?? 0);
  }

  private async buyOne(batch: StoredBatch, row: WaitingRow): Promise<void> {
    try {
      const answer = await buyRow(this.deps, batch, row);
      if (isRefusal(answer)) await this.refused(batch, row, answer.refused, afterRefusal(answer));
      else this.bought++;
    } catch (error) {
      // Whether it was bought is in the row by the time the page reads it again.
      if (error instanceof OutcomeUnknown) this.holdBack(error.retryAfterSeconds);
      else if (error instanceof MarketUnavailable) this.later(row, error.retryAfterSeconds);
      else this.failure = error;
    } finally {
      this.open.delete(row.position);
    }
  }

  private async refused(
    batch: StoredBatch,
    row: WaitingRow,
    code: RefusalCode,
    after: AfterRefusal,
  ): Promise<void> {
    const { db, now } = this.deps;
    switch (after.kind) {
      case 'refuse':
        return refuseRow(db, { batchId: batch.id, position: row.position }, { ...batch, code, now: now() });
      case 'wait':
        return after.waits === 'row' ? this.later(row, after.seconds) : this.holdBack(after.seconds);
      case 'pause':
        return this.pauseFor(after);
    }
  }

  /**
   * The next row cannot be paid for. While rows are in flight, one of them may fail and give back what it was charged: the
   * batch goes on for as long as it can.
   */
  private async pauseFor(pause: OwnPause): Promise<void> {
    const batch = await readBatch(this.deps.db, this.input.batchId);
    const mayGiveBack = pause.reason !== 'house_limit' && (batch.rows.running > 0 || this.open.size > 1);
    if (mayGiveBack) this.holdBack(retryMinMs / 1_000);
    else await pauseBatch(this.deps.db, batch, pause, this.deps.now());
  }

  private later({ position }: WaitingRow, seconds: number): void {
    this.laterRows.set(position, this.nowMs() + Math.max(retryMinMs, seconds * 1_000));
  }

  private holdBack(seconds: number): void {
    this.notBeforeMs = Math.max(this.notBeforeMs, this.nowMs() + seconds * 1_000);
  }

  private holdsBackMs(): number {
    return this.notBeforeMs - this.nowMs();
  }

  private isFull(): boolean {
    return this.deps.stopping.aborted || this.bought >= rowsPerPage || this.nowMs() >= this.endsAtMs;
  }

  private async untilChanged(): Promise<void> {
    const pausing = new AbortController();
    const signal = AbortSignal.any([pausing.signal, cancellationSignal()]);
    await Promise.race([pause(placesReadEveryMs, null, { signal }), ...this.open.values()]);
    pausing.abort();
  }

  private async endedPage(): Promise<RowPage> {
    return pageOf(await readBatch(this.deps.db, this.input.batchId), 'ended');
  }

  private nowMs(): number {
    return this.deps.now().getTime();
  }
}

/** Of a batch that does not run: it has ended, or waits for its owner, or for the time at which it goes on by itself. */
function heldPage(batch: StoredBatch, nowMs: number): RowPage {
  if (batch.status !== 'paused') return pageOf(batch, 'ended');
  return pageOf(batch, 'wait', batch.resumesAt === null ? null : batch.resumesAt.getTime() - nowMs);
}

function pageOf(batch: StoredBatch, next: RowPage['next'], waitMs: number | null = null): RowPage {
  const { status, pausedReason, pausedMember, rows, budgetCredits, spentCredits } = batch;
  const credits = { budget: budgetCredits, spent: spentCredits };
  return { progress: { status, pausedReason, pausedMember, rows, credits }, next, waitMs };
}
