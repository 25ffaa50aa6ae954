import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach } from '@jest/globals';
import type { EncryptionKey } from '../../../platform/keys/key-ring.js';
import { webhookTypes } from '../../../purchase/webhooks.js';
import { startReceiver } from '../../platform/webhooks/receiver.js';
import type { TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { newEndpoint } from '../../support/webhooks.js';

interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

export type Subscriber = Awaited<ReturnType<Subscribers['subscriber']>>;
type Subscribers = Awaited<ReturnType<typeof useSubscribers>>;

/** Accounts with endpoints at a receiver of this file, and what became of their deliveries. */
export async function useSubscribers(service: TestService, keyRing: readonly EncryptionKey[]) {
  const { db } = service.database;
  let answers: ReceiverAnswer[] = [];
  const receiver = await startReceiver((_, response) => {
    const { status, headers } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 204 };
    response.writeHead(status, headers).end('an answer\u0007');
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    answers = [{ status: 204 }];
  });
  const deliveryOf = (id: string) =>
    db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return {
    /** What the receiver answers to each request, the last one for good. */
    answer: (...next: ReceiverAnswer[]) => {
      answers = next;
    },
    /** An account with an endpoint of its own path, and what the path has received. */
    subscriber: async (credits = 500) => {
      const caller = await service.newCaller(credits);
      const path = `/${randomUUID()}`;
      const url = `http://127.0.0.1:${receiver.port}${path}`;
      const { accountId } = caller;
      const endpoint = await newEndpoint(db, keyRing, { accountId, url, types: webhookTypes });
      const received = () => receiver.received.filter(each => each.path === path);
      return { caller, endpoint, path, received, accountId };
    },
    /** Inserts a delivery, as the API does for a test. @returns its id */
    told: async ({ endpoint }: { readonly endpoint: { readonly id: string } }, data: object = {}) => {
      const { id } = await db
        .insertInto('webhook_deliveries')
        .values({
          endpoint_id: endpoint.id,
          type: 'webhook.test',
          data: JSON.stringify(data),
          created_at: new Date(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    deliveryOf,
    ended: (id: string) =>
      until(
        'the delivery has ended',
        () => deliveryOf(id),
        ({ status }) => status !== 'pending',
      ),
    attemptsOf: (id: string) =>
      db.selectFrom('webhook_attempts').selectAll().where('delivery_id', '=', id).orderBy('number').execute(),
    handleOf: (id: string) => service.temporal.workflow.getHandle(`webhook/${id}`),
  };
}
