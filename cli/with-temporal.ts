import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import { explainTemporalError } from './explain-temporal-error.js';
import { Failure } from './failure.js';
import { within } from './within.js';

export interface TemporalPlace {
  readonly connectionOptions: ConnectionOptions;
  readonly namespace: string;
}

const connectMs = 5_000;

/**
 * Does something with the Temporal server of the service, and leaves no connection open.
 * @throws Failure that names the server, where it is the server that is away or refuses
 */
export async function withTemporal<Result>(
  place: TemporalPlace,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const address = addressOf(place);
  try {
    const connection = await open(place, address);
    try {
      return await use(new Client({ connection, namespace: place.namespace }));
    } finally {
      await connection.close();
    }
  } catch (error) {
    const explained = explainTemporalError(error, { address, namespace: place.namespace });
    if (explained === null) throw error;
    throw new Failure(explained.detail, { next: explained.next, cause: error });
  }
}

/** How a server is called in what is told. */
export function addressOf({ connectionOptions }: TemporalPlace): string {
  return connectionOptions.address ?? 'localhost:7233';
}

/** The SDK's own limit does not hold where packets are swallowed on the way. */
async function open({ connectionOptions }: TemporalPlace, address: string): Promise<Connection> {
  const connecting = Connection.connect({ ...connectionOptions, connectTimeout: connectMs });
  const late = () => new Error(`failed to connect to ${address} within ${connectMs / 1_000} s`);
  return within(connectMs + 500, connecting, late);
}
