import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ApiClient } from './api-client.js';
import { instructions } from './instructions.js';
import { listedInput, listedOutput } from './listed-schema.js';
import { openCall } from './open-call.js';
import { ToolProblem } from './tool-problem.js';
import { tools } from './tools.js';

interface ServerDependencies {
  readonly api: ApiClient;
  /** Hears of what nobody foresaw; the caller is told `internal`. */
  readonly onTrouble: (error: unknown) => void;
}

export const serverIdentity = {
  name: 'council-report',
  title: 'Council Report Service',
  version: '0.1.0',
} as const;

/** Made once: a schema does not change from call to call, and over HTTP every request has a server of its own. */
const listings = tools.map(tool => ({
  tool,
  config: {
    title: tool.title,
    description: tool.description,
    annotations: { title: tool.title, ...tool.annotations },
    inputSchema: listedInput(tool.input),
    outputSchema: listedOutput(tool.output),
  },
}));

/** The seven tools over one caller's view of the public API; not yet connected to any transport. */
export function createMcpServer({ api, onTrouble }: ServerDependencies): McpServer {
  const server = new McpServer(serverIdentity, { instructions });
  for (const { tool, config } of listings) {
    server.registerTool(tool.name, config, async (asked, extra) => {
      try {
        const { content, text } = await tool.answer(asked, openCall(api, extra));
        return { structuredContent: content, content: [{ type: 'text', text }] };
      } catch (error) {
        return present(error instanceof ToolProblem ? error : unforeseen(error, onTrouble));
      }
    });
  }
  return server;
}

function present(problem: ToolProblem) {
  const document = problem.toDocument();
  const text = `${document.code}: ${document.detail}\nNext step: ${document.next_step}`;
  return { isError: true, structuredContent: document, content: [{ type: 'text' as const, text }] };
}

function unforeseen(error: unknown, onTrouble: (error: unknown) => void): ToolProblem {
  onTrouble(error);
  return new ToolProblem('internal', 'Something failed in the MCP server.');
}
