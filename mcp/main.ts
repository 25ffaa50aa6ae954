import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ApiClient } from './api-client.js';
import { createMcpServer } from './server/create-mcp-server.js';
import { readMcpSettings } from './settings.js';

/** `npm run mcp`, a composition root: the tools over stdio. Standard output belongs to the protocol alone. */
const say = (line: string) => process.stderr.write(`${line}\n`);

try {
  const { apiKey, baseUrl } = readMcpSettings(process.env);
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const api = new ApiClient({ baseUrl, headers });
  const server = createMcpServer({ api, onTrouble: error => say(String(error)) });
  // A client ends its server by closing the pipe, and may be gone by the time something is written.
  process.stdin.once('end', () => process.exit(0));
  process.stdout.once('error', () => process.exit(0));
  await server.connect(new StdioServerTransport());
  if (apiKey === undefined) {
    say('COUNCIL_API_KEY is not set: events, prices and the track record can be read, and nothing else.');
  }
  await api.reach().catch(() => {
    say(`The service cannot be reached at ${baseUrl}. Start it (npm start) or set COUNCIL_BASE_URL.`);
    say('The tools stay up and will work once it is there.');
  });
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
