import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer } from './server/create-mcp-server.js';
import { readMcpSettings } from './settings.js';
import { createToolApi } from './tools/tool-api.js';

/** `npm run mcp`, a composition root: the tools over stdio. Standard output carries the protocol only. */
const log = (line: string) => process.stderr.write(`${line}\n`);

try {
  const { apiKey, baseUrl } = readMcpSettings(process.env);
  const api = createToolApi({ apiKey, baseUrl });
  const server = createMcpServer({ api, onError: error => log(String(error)) });
  // A client stops its server by closing the pipe, and can be gone before a response is written.
  process.stdin.once('end', () => process.exit(0));
  process.stdout.once('error', () => process.exit(0));
  await server.connect(new StdioServerTransport());
  if (apiKey === undefined) {
    log('COUNCIL_API_KEY is not set: only events, prices and the track record are available.');
  }
  await api.request('GET /healthz').catch(() => {
    log(`The service cannot be reached at ${baseUrl}. Start it (npm start) or set COUNCIL_BASE_URL.`);
    log('The MCP server keeps running; its tools work as soon as the service is reachable.');
  });
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
