import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CouncilClient } from '../../client/council-client.js';
import type { ApiAddress } from '../../client/http-client.js';
import { bodyMaxBytes } from '../../council/limits.js';
import { createMcpServer } from './create-mcp-server.js';

interface HttpRequest {
  readonly request: Request;
  readonly api: ApiAddress;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Handles one request of Streamable HTTP. Each request gets its own server and no state is kept, so any
 * process can handle any request. Therefore there is no stream to GET and no session to DELETE.
 */
export async function handleMcpRequest({
  request,
  api,
  disconnected,
  onError,
}: HttpRequest): Promise<Response> {
  if (request.method !== 'POST')
    return rejectMcpRequest(405, 'This path accepts POST only.', { allow: 'POST' });
  const server = createMcpServer({ api: new CouncilClient(api), onError });
  const transport = new WebStandardStreamableHTTPServerTransport({ maxRequestBodySize: bodyMaxBytes });
  await server.connect(transport);
  disconnected.addEventListener('abort', () => void server.close(), { once: true });
  return transport.handleRequest(request);
}

const serverError = -32_000;

/**
 * Rejects a request before reading its message, as the protocol defines it: a JSON-RPC error without an id.
 */
export function rejectMcpRequest(
  status: 403 | 405,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code: serverError, message }, id: null },
    { status, headers },
  );
}
