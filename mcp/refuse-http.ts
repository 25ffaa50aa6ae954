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
