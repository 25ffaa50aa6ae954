import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import { type Adapter, everyVendorAt, providersAt } from '../catalogue.js';

/** A server that replaces all vendors and sends the responses that a test specifies. */
export async function startRawServer(answer: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume();
    answer(request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    providers: providersAt(everyVendorAt(url)),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts servers, and closes each after its test. */
export function useRawServers() {
  const opened: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close();
  });
  return async (answer: RequestListener) => {
    const server = await startRawServer(answer);
    opened.push(server);
    return server;
  };
}

/** A handler that always sends this JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Bodies of a valid answer, by vendor. */
export function goodBody(adapter: Adapter, text: string): unknown {
  const bodies: Record<Adapter, unknown> = {
    claude: {
      model: 'claude-x',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 9,
        output_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: null,
      },
    },
    gpt: {
      model: 'gpt-x',
      choices: [{ message: { content: text, refusal: null }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
    },
    grok: {
      model: 'grok-x',
      choices: [{ message: { content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 14 },
    },
    openrouter: {
      id: 'gen-1',
      model: 'openrouter-x',
      provider: 'Anthropic',
      choices: [
        {
          message: { role: 'assistant', content: text, refusal: null, reasoning: null },
          finish_reason: 'stop',
          native_finish_reason: 'end_turn',
          error: null,
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14, cost: 0.1 },
    },
    gemini: {
      modelVersion: 'gemini-x',
      candidates: [
        { content: { parts: [{ text: 'Let me think.', thought: true }, { text }] }, finishReason: 'STOP' },
      ],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
    },
  };
  return bodies[adapter];
}
