import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createMcpServer } from '../../../mcp/server/create-mcp-server.js';
import { createToolApi } from '../../../mcp/tools/tool-api.js';

export interface ToolAnswer {
  readonly isError: boolean;
  // biome-ignore lint: tests read any field
  readonly data: any;
  readonly text: string;
}

interface CallOptions {
  readonly timeout?: number;
  readonly onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/**
 * The official client. It has listed the tools, so it validates every result, errors included, against the tool's
 * output schema and throws on a mismatch.
 */
export class ToolUser {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async overHttp(url: string, headers: Record<string, string> = {}): Promise<ToolUser> {
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
    return ToolUser.connected(client => client.connect(transport));
  }

  static async overStdio(env: Record<string, string>): Promise<ToolUser> {
    const transport = new StdioClientTransport({
      command: 'node',
      args: ['dist/mcp/main.js'],
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stderr: 'ignore',
    });
    return ToolUser.connected(client => client.connect(transport));
  }

  /** The server in this process, as a client of the API at the address. */
  static async inProcess(baseUrl: string, headers: Record<string, string> = {}): Promise<ToolUser> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = createMcpServer({
      api: createToolApi({ baseUrl, headers }),
      onError: error => {
        throw error;
      },
    });
    await server.connect(far);
    return ToolUser.connected(client => client.connect(near));
  }

  private static async connected(connect: (client: Client) => Promise<void>): Promise<ToolUser> {
    const client = new Client({ name: 'test', version: '1' });
    await connect(client);
    await client.listTools();
    return new ToolUser(client);
  }

  async call(name: string, args: object = {}, options: CallOptions = {}): Promise<ToolAnswer> {
    const answer = await this.client.callTool({ name, arguments: { ...args } }, undefined, options as never);
    const content = answer.content as { type: string; text: string }[];
    return {
      isError: answer.isError === true,
      data: answer.structuredContent,
      text: content.map(({ text }) => text).join('\n'),
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
