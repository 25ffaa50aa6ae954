import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../support/listen.js';
import type { RandomSource } from '../faults/random-source.js';

/** A request as it arrived, whether it was answered or not. */
export interface ReceivedHook {
  /** The path that the endpoint was given. */
  readonly path: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  /** How it was answered. */
  readonly answer: Answer;
}

const weights = { accepted: 62, error: 12, busy: 12, cut_off: 8, hang: 6 } as const;
type Answer = keyof typeof weights | 'down';

/** From this try on, a delivery is accepted: no endpoint is disabled, however the random values fall. */
const acceptedFromTry = 6;
/** Of all that arrives at some endpoints, the first five tries fail. */
const downTries = 5;

/** The receivers of all endpoints: a server that fails, hangs and is busy at times, and keeps everything that arrives. */
export class HookReceiver {
  readonly received: ReceivedHook[] = [];
  readonly url: string;
  private readonly random: RandomSource;
  private readonly tries = new Map<string, number>();

  private constructor(port: number, random: RandomSource) {
    this.url = `http://127.0.0.1:${port}`;
    this.random = random;
  }

  /** Its server ends with the suite. */
  static async start(random: RandomSource): Promise<HookReceiver> {
    const server = createServer((request, response) => {
      void receiver.take(request, response).catch(() => response.destroy());
    });
    const receiver: HookReceiver = new HookReceiver(await listen(server), random);
    server.unref();
    return receiver;
  }

  /** @param isDown whether the endpoint fails the first five tries of each delivery */
  pathOf(endpointId: string, isDown: boolean): string {
    return `/${isDown ? 'down' : 'hooks'}/${endpointId}`;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { url: path = '', headers } = request;
    const id = String(headers['webhook-id']);
    const tries = (this.tries.get(id) ?? 0) + 1;
    this.tries.set(id, tries);
    const answer = this.answerTo(path, tries);
    this.received.push({
      path,
      id,
      timestamp: String(headers['webhook-timestamp']),
      signature: String(headers['webhook-signature']),
      body,
      answer,
    });
    this.answer(response, answer);
  }

  private answerTo(path: string, tries: number): Answer {
    if (path.startsWith('/down/')) return tries <= downTries ? 'down' : 'accepted';
    return tries >= acceptedFromTry ? 'accepted' : this.random.weighted(weights);
  }

  private answer(response: ServerResponse, answer: Answer): void {
    if (answer === 'accepted') response.writeHead(204).end();
    if (answer === 'error' || answer === 'down') response.writeHead(500).end('not today');
    if (answer === 'busy') response.writeHead(503, { 'retry-after': '1' }).end();
    // It has arrived, and the sender cannot know.
    if (answer === 'cut_off') response.destroy();
    // What hangs is not answered until the sender gives up.
  }
}
