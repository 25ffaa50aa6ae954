import type { TestService } from '../service/test-service.js';

export type History = Awaited<
  ReturnType<ReturnType<TestService['temporal']['workflow']['getHandle']>['fetchHistory']>
>;

/** Everything in a history, with payloads as the text they hold: in base64 a secret would not be seen. */
export function readableHistory(value: History): string {
  return JSON.stringify(value).replaceAll(/"data":"([A-Za-z0-9+/=]*)"/g, (_whole, data: string) =>
    Buffer.from(data, 'base64').toString('utf8'),
  );
}
