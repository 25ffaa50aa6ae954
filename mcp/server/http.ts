import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { ApiConnection } from '../../client/transport.js';
import { createToolApi } from '../tools/tool-api.js';
import { createMcpServer } from './create-mcp-server.js';

interface HttpRequest {
  readonly request: Request;
  readonly api: ApiConnection;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Handles one POST of Streamable HTTP. Each request gets its own server and no state is kept, so any process can handle
 * any request. A batch is refused: the protocol dropped them, and one request would cost what a hundred do, of which a
 * limit counts one.
 */
export async function handleMcpRequest({
  request,
  api,
  disconnected,
  onError,
}: HttpRequest): Promise<Response> {
  const parsedBody = jsonOf(await request.text());
  if (parsedBody === undefined) return rejectMcpRequest(400, 'The body is not JSON.', {}, parseError);
  if (Array.isArray(parsedBody)) {
    return rejectMcpRequest(
      400,
      'Batches are not accepted: send each message in a request of its own.',
      {},
      invalidRequest,
    );
  }
  const server = createMcpServer({ api: createToolApi(api), onError });
  const transport = new WebStandardStreamableHTTPServerTransport();
  await server.connect(transport);
  disconnected.addEventListener('abort', () => void server.close(), { once: true });
  return transport.handleRequest(request, { parsedBody });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Codes of JSON-RPC. */
const serverError = -32_000;
const invalidRequest = -32_600;
const parseError = -32_700;

/**
 * Rejects a request before reading its message, as the protocol defines it: a JSON-RPC error without an id.
 */
export function rejectMcpRequest(
  status: 400 | 403 | 405,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = serverError,
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}
