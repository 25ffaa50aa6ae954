import type { BatchView, NewBatchBody } from '../../contract/batches/batch-shapes.js';
import type { batchOperations } from '../../contract/batches/batches.js';
import { quorumOpinions } from '../../council/method.js';
import { listRows } from '../../db/batches/batch-rows.js';
import {
  createBatch,
  findBatch,
  listBatches,
  readBatch,
  type StoredBatch,
} from '../../db/batches/batches.js';
import { parseEventName } from '../../markets/event-name.js';
import type { BatchChange } from '../../purchase/batches.js';
import { batchInFlightDefault, keptRowsPerDayPerAccount } from '../../purchase/limits.js';
import { idempotencyKeyReused } from '../../purchase/purchase.js';
import type { Principal } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { matchesEtag } from '../http/etag.js';
import { type FieldError, Problem } from '../http/problem.js';
import type { Handlers } from '../http/serve-operations.js';
import { presentBatch, presentBatchRow } from '../present/batches.js';
import { fingerprintOf, requireIdempotencyKey } from '../purchases/idempotency.js';
import { assertCanBuy, createBatchPlans } from '../purchases/plan-batch.js';
import type { HeldAnswers } from '../reading/held-answers.js';
import { waitForBatch } from '../reading/wait-for-batch.js';
import { readWait } from '../reading/wait-for-report.js';
import { goneSignal, sendVersion } from './reports.js';

type BatchHandlers = Handlers<typeof batchOperations>;

/**
 * The batches of an account.
 * @param countDryRun refuses an account that asks for too many
 */
export function batchHandlers(
  context: ApiContext,
  heldAnswers: HeldAnswers,
  countDryRun: (accountId: string) => Promise<void>,
): BatchHandlers {
  const { db } = context;
  return {
    createBatch: create(context, countDryRun),
    listBatches: async ({ query: { page, per_page }, caller }) => {
      const { rows, total } = await listBatches(db, caller.accountId, { page, perPage: per_page });
      return { batches: rows.map(presentBatch), page, per_page, total };
    },
    getBatch: read(context, heldAnswers),
    listBatchRows: async ({ parameters: { id }, query, caller: { accountId } }) => {
      await requireBatch(context, { accountId, id });
      const { state = null, after, limit } = query;
      const found = await listRows(db, id, { state, after, limit: limit + 1 });
      const rows = found.slice(0, limit).map(presentBatchRow);
      return { rows, next: found.length > limit ? (rows.at(-1)?.position ?? null) : null };
    },
    updateBatch: ({ parameters: { id }, body, caller: { accountId } }) => {
      const { budget_credits: budgetCredits, status } = body;
      return change(
        context,
        { accountId, id },
        {
          ...(budgetCredits === undefined ? {} : { budgetCredits }),
          ...(status === undefined ? {} : { status }),
        },
      );
    },
    retryBatch: ({ parameters: { id }, caller: { accountId } }) =>
      change(context, { accountId, id }, { retry: true }),
  };
}

function create(
  context: ApiContext,
  countDryRun: (accountId: string) => Promise<void>,
): BatchHandlers['createBatch'] {
  const { db, newId, now } = context;
  const plan = createBatchPlans(context);
  return async ({ body, caller, request, response }) => {
    const key = requireIdempotencyKey(request);
    const fields = fieldsOf(context, body);
    const batch = { ...fields, ...ownerOf(caller) };
    await assertCanBuy(context, batch);
    if (body.dry_run === true) {
      await countDryRun(caller.accountId);
      return plan(batch);
    }
    const id = newId();
    const idempotency = { key, fingerprint: fingerprintOf(fields) };
    const created = await createBatch(db, { ...batch, id, idempotency, now: now() });
    if (created === 'mismatch') throw Problem.of(idempotencyKeyReused);
    if ('nextAt' in created) throw tooMany(context, created.nextAt);
    const stored = await readBatch(db, created.id);
    // A repeated request starts what could not be started before.
    if (stored.endedAt === null) await context.batchRuns.start(stored);
    if (stored.id !== id) response.set('Idempotent-Replayed', 'true');
    response.status(201).set('Location', `/api/batches/${stored.id}`);
    return presentBatch(stored);
  };
}

function ownerOf({ accountId, apiKeyId }: Principal) {
  return { accountId, apiKeyId };
}

/** What a batch is apart from its owner: two requests with the same fields mean the same batch. */
function fieldsOf({ markets }: ApiContext, body: NewBatchBody) {
  return {
    name: body.name ?? null,
    lane: body.lane,
    budgetCredits: body.budget_credits,
    maxCreditsEach: body.max_credits_each ?? null,
    minMembers: body.min_members ?? quorumOpinions,
    maxInFlight: body.max_in_flight ?? batchInFlightDefault,
    eventIds: eventIdsOf(body.events, markets.venues),
  };
}

/** The ids under which reports are stored. @throws Problem that names each event without one, or with that of another */
function eventIdsOf(names: readonly string[], venues: ApiContext['markets']['venues']): readonly string[] {
  const places = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, text] of names.entries()) {
    const pointer = `#/events/${index}`;
    const name = parseEventName(text, venues)?.name;
    const earlier = name === undefined ? undefined : places.get(name);
    if (name === undefined) errors.push({ pointer, detail: 'is of a venue that this service does not read' });
    else if (earlier === undefined) places.set(name, index);
    else errors.push({ pointer, detail: `names the same event as #/events/${earlier}` });
  }
  if (errors[0] !== undefined) throw invalid(errors[0], errors);
  return [...places.keys()];
}

function read(context: ApiContext, heldAnswers: HeldAnswers): BatchHandlers['getBatch'] {
  return async ({ parameters: { id }, caller: { accountId }, request, response }) => {
    const waitSeconds = readWait(request);
    const knowsNone = request.get('if-none-match') === undefined;
    const found = await waitForBatch(
      { ...context, heldAnswers },
      {
        accountId,
        id,
        waitSeconds,
        gone: goneSignal(response),
        isPresent: etag => knowsNone || matchesEtag(request, etag),
      },
    );
    if (waitSeconds > 0) response.set('Preference-Applied', `wait=${waitSeconds}`);
    if (found === null) throw noBatch();
    return sendVersion(request, response, found.etag, found.json);
  };
}

interface BatchName {
  readonly accountId: string;
  readonly id: string;
}

async function change(context: ApiContext, name: BatchName, asked: BatchChange): Promise<BatchView> {
  const batch = await requireBatch(context, name);
  if (Object.keys(asked).length === 0) return presentBatch(batch);
  switch (await context.batchRuns.change(batch, asked)) {
    case 'below_spent':
      throw invalid({ pointer: '#/budget_credits', detail: 'is less than the batch has spent' });
    case 'ended': {
      const ended = await requireBatch(context, name);
      // A repeated request to cancel it.
      if (asked.status === ended.status && asked.budgetCredits === undefined) return presentBatch(ended);
      throw invalid({ pointer: '#', detail: `the batch is ${ended.status} and changes no more` });
    }
    case 'changed':
      return presentBatch(await requireBatch(context, name));
  }
}

async function requireBatch({ db }: ApiContext, name: BatchName): Promise<StoredBatch> {
  const batch = await findBatch(db, name);
  if (batch === null) throw noBatch();
  return batch;
}

function noBatch(): Problem {
  return new Problem('not_found', 'There is no batch with this id.');
}

function invalid(first: FieldError, errors: readonly FieldError[] = [first]): Problem {
  return new Problem('invalid_request', `${first.pointer}: ${first.detail}`, { errors });
}

function tooMany({ now, metrics }: ApiContext, nextAt: Date): Problem {
  metrics.throttled.inc({ limit: 'batches' });
  return new Problem(
    'rate_limited',
    `An account can create ${keptRowsPerDayPerAccount} batches in 24 hours.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((nextAt.getTime() - now().getTime()) / 1_000)) },
  );
}
