import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Lane } from '../../../council/purchase/purchase.js';
import type { ServiceProcess } from '../../support/service/service-process.js';
import { type Diary, readTold, type Told, type Wish } from '../books/diary.js';
import type { Chance } from '../storm/chance.js';
import type { Customer } from './customers.js';

export interface Asking {
  readonly customer: Customer;
  readonly eventId: string;
  readonly lane?: Lane | null;
  readonly idempotencyKey?: string | null;
  readonly quotedCredits?: number | null;
  /** After so long the caller hangs up. */
  readonly hangUpAfterMs?: number;
}

/** Far longer than the service promises to think. */
const patienceMs = 30_000;
const persistForMs = 75_000;

/** The callers' way to the service: whichever API they happen to reach. Everything told is written down. */
export class Shop {
  private readonly apis: readonly ServiceProcess[];
  private readonly chance: Chance;
  readonly diary: Diary;

  constructor(apis: readonly ServiceProcess[], chance: Chance, diary: Diary) {
    this.apis = apis;
    this.chance = chance;
    this.diary = diary;
  }

  /** Asks once. */
  async ask(asking: Asking): Promise<Told> {
    const { customer, eventId, lane = null, idempotencyKey = null, quotedCredits = null } = asking;
    const sentAt = Date.now();
    const told = await this.tell(customer, '/api/reports', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify({
        event_id: eventId,
        ...(lane === null ? {} : { lane }),
        ...(quotedCredits === null ? {} : { quoted_credits: quotedCredits }),
      }),
      signal: AbortSignal.timeout(asking.hangUpAfterMs ?? patienceMs),
    });
    const wish: Wish = { customer, eventId, lane, idempotencyKey, sentAt, endedAt: Date.now(), told };
    this.diary.wishes.push(wish);
    const before = customer.events.get(eventId) ?? null;
    customer.events.set(eventId, told.kind === 'receipt' ? told.receipt.report_id : before);
    return told;
  }

  /** Asks until it is told yes or no: a client as it should be. */
  async persist(asking: Asking): Promise<Told> {
    const giveUpAt = Date.now() + persistForMs;
    for (;;) {
      const told = await this.ask(asking);
      const passing = told.kind === 'silence' || (told.kind === 'refusal' && told.status >= 500);
      if (!passing || Date.now() > giveUpAt) return told;
      await pause(this.chance.between(300, 3_000));
    }
  }

  /** The price that the caller is told; null when nobody says. */
  async price({ customer, eventId, lane = null }: Asking): Promise<number | null> {
    const query = lane === null ? '' : `?lane=${lane}`;
    const answer = await this.get(customer, `/api/reports/check/${eventId}${query}`);
    return answer?.status === 200 ? Number(answer.body.cost_credits) : null;
  }

  /** Looks at a report of one's own. */
  async look(customer: Customer, reportId: number, waitSeconds: number): Promise<void> {
    const answer = await this.get(customer, `/api/reports/${reportId}`, { prefer: `wait=${waitSeconds}` });
    if (answer === null) return;
    const { status, body } = answer;
    if (status === 200) this.diary.sightings.push({ customer, reportId, status: body.status });
    else if (status < 500) this.diary.oddities.push(`${status} for the customer's own report ${reportId}`);
  }

  /** @returns null for no answer. */
  async get(customer: Customer, path: string, headers: Record<string, string> = {}) {
    try {
      const response = await fetch(this.anyApi() + path, {
        headers: { 'x-api-key': customer.apiKey, ...headers },
        signal: AbortSignal.timeout(patienceMs + 30_000),
      });
      const body: any = await response.json();
      if (response.status === 500) this.diary.oddities.push(`500 for GET ${path.replace(/\d+/g, 'N')}`);
      return { status: response.status, body };
    } catch {
      return null;
    }
  }

  newKey(): string {
    return randomUUID();
  }

  private async tell(
    customer: Customer,
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
  ): Promise<Told> {
    try {
      const headers = { ...init.headers, 'x-api-key': customer.apiKey };
      const response = await fetch(this.anyApi() + path, { ...init, headers });
      const text = await response.text();
      const replayed = response.headers.get('idempotent-replayed') === 'true';
      const told = readTold(response.status, replayed, JSON.parse(text));
      if (told.kind === 'refusal' && told.code === 'internal') {
        this.diary.oddities.push(`500 for POST ${path}`);
      }
      return told;
    } catch (error) {
      return { kind: 'silence', why: whyOf(error) };
    }
  }

  private anyApi(): string {
    return this.chance.pick(this.apis).url;
  }
}

/** Only what the line did may go unanswered; what is no answer of ours at all is thrown. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  if (error.name === 'TimeoutError') return 'hung up';
  if (error.name === 'TypeError') return 'connection broke';
  throw error;
}
