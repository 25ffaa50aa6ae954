import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { bodyMaxBytes } from '../../council/limits.js';
import { type ApiAddress, ApiClient } from '../api-client.js';
import { createMcpServer } from './create-mcp-server.js';

interface HttpCall {
  readonly request: Request;
  readonly api: ApiAddress;
  /** Aborted once the client has gone away. */
  readonly gone: AbortSignal;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * One request of Streamable HTTP. Stateless: each has a server of its own that knows nothing of any other, so that any
 * number of processes can answer. Hence there is no stream to GET and no session to DELETE.
 */
export async function answerHttp({ request, api, gone, onTrouble }: HttpCall): Promise<Response> {
  if (request.method !== 'POST') return refuseHttp(405, 'Only POST is answered here.', { allow: 'POST' });
  const server = createMcpServer({ api: new ApiClient(api), onTrouble });
  const transport = new WebStandardStreamableHTTPServerTransport({ maxRequestBodySize: bodyMaxBytes });
  await server.connect(transport);
  gone.addEventListener('abort', () => void server.close(), { once: true });
  return transport.handleRequest(request);
}

const serverError = -32_000;

/** A refusal before any message is read, as the protocol asks for it: a status, and a JSON-RPC error without an id. */
export function refuseHttp(
  status: 403 | 405,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code: serverError, message }, id: null },
    { status, headers },
  );
}
