import type { DatedAuthority } from '../../support/timestamps/dated-authority.js';
import type { Sale } from './history.js';
import { type Published, publish } from './publish.js';
import type { Stranger } from './serve.js';

/** A lie, told to a stranger who verifies it. */
export interface Lie {
  /** What the operator did. */
  readonly lie: string;
  /** What the program says of it. */
  readonly says: RegExp;
  /** 1: false. 3: unproven. 0: nothing finds it. */
  readonly code: 0 | 1 | 3;
  readonly tell: (world: World) => Told | Promise<Told>;
}

/** What the server answers, and what the stranger has; the certificates of the right authority if nothing is said. */
export interface Told extends Partial<Stranger> {
  readonly published: Published;
}

/** An honest service, and what a forger has beside it. */
export interface World {
  readonly now: number;
  readonly history: readonly Sale[];
  readonly honest: Published;
  /** An independent authority. It stamps the present, so nobody gets a receipt of an earlier time from it. */
  readonly authority: DatedAuthority;
  /** The forger's own, which stamps any time. */
  readonly ownAuthority: DatedAuthority;
}

/** The honest answers after a change of what is sent. */
export function edited({ honest }: World, change: (published: Published) => void): Published {
  const published = structuredClone(honest);
  change(published);
  return published;
}

/**
 * What a service publishes after it has changed its history, with right hashes and figures that fit.
 * @param receipts `kept`: those of the honest chain. `once`: one of today. `regular`: it lied from the first day on.
 */
export async function rewritten(
  { now, authority, honest, history }: World,
  receipts: 'kept' | 'once' | 'regular',
  change: (history: readonly Sale[]) => readonly Sale[],
): Promise<Published> {
  const published = await publish(change(history), {
    now,
    authority,
    receipts: receipts === 'once' ? 'once' : 'regular',
  });
  return {
    ...published,
    venue: honest.venue,
    ...(receipts === 'kept' ? { timestamps: honest.timestamps } : {}),
  };
}

/** A sale whose event is long over, and has another report. */
export function loser({ history }: World): Sale {
  const isOn = (one: Sale, other: Sale) => one.forecast.event_id === other.forecast.event_id;
  return found(
    history.find(
      (sale, index) =>
        index > 10 &&
        sale.end === 'completed' &&
        hasResult(sale.outcomes) &&
        history.some(other => other !== sale && other.end === 'completed' && isOn(sale, other)),
    ),
  );
}

function hasResult(outcomes: Sale['outcomes']): boolean {
  return Object.values(outcomes).includes('yes') && Object.values(outcomes).includes('no');
}

/** This sale after a change, the others as they were. */
export function changing(sale: Sale, change: Partial<Sale>): (history: readonly Sale[]) => readonly Sale[] {
  return history => history.map(each => (each === sale ? { ...each, ...change } : each));
}

export function without(sale: Sale): (history: readonly Sale[]) => readonly Sale[] {
  return history => history.filter(each => each !== sale);
}

export function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the honest record has nothing of this kind');
  return value;
}
