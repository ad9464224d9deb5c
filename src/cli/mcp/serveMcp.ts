import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { version } from '../../../package.json';
import type { ToolSession } from '../../core/agentTools/agentTool';
import { listPermittedTools } from '../../core/agentTools/agentTools';
import { QuestionLimits } from '../../core/agentTools/questionLimits';
import { StoredResults } from '../../core/agentTools/storedResults';
import { systemSession } from '../../core/agentTools/systemSession';
import type { ToolWorkspace } from '../../core/agentTools/toolWorkspace';
import { isCanceled } from '../../core/api/errors';
import { AgentWorkspace } from '../../files/agentWorkspace';
import { type McpCommand, UsageError } from '../commandLine';
import type { CommandSession, Connect } from '../connect';
import { EXIT_DONE, type Output } from '../report';
import { LineLimit } from './lineLimit';
import { createMcpServer } from './mcpServer';

/** Maximum length of a message in bytes. The transport closes the connection for 10 MiB. */
const MAX_MESSAGE_BYTES = 10 * 1024 ** 2 - 1;

/** Error without the ID of its request, which was in the dropped message (JSON-RPC 2.0, 5.1). */
const MESSAGE_TOO_LONG = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'The message is longer than 10 MiB, and was dropped.' },
};

/**
 * Serves tools for agents over stdin and stdout until the client closes stdin or the process is
 * stopped. Nothing else is written to stdout.
 *
 * @returns the exit code.
 * @throws FleetError if the service can't be reached or rejects the key
 */
export async function serveMcp(
  command: McpCommand,
  { say }: Output,
  connect: Connect,
  signal: AbortSignal,
): Promise<number> {
  const { allowWrites } = command;
  const workspace = await openWorkspace(command);
  const session = await connect({ ...command, isReadOnly: !allowWrites });
  try {
    // Reports a wrong URL or key immediately, not with the first call of an agent.
    await session.stores.organizations.list({ signal });
    const tools = await listPermittedTools(session.stores, signal, allowWrites);
    const stopped = once(process.stdin, 'end', { signal });
    const lines = process.stdin.pipe(
      new LineLimit(MAX_MESSAGE_BYTES, () => {
        say(`fleetwright mcp: ${MESSAGE_TOO_LONG.error.message}`);
        process.stdout.write(`${JSON.stringify(MESSAGE_TOO_LONG)}\n`);
      }),
    );
    const handle = serveStdio(
      () => createMcpServer(toToolSession(session, workspace), tools, version),
      {
        transport: new StdioServerTransport(lines, process.stdout),
        onerror: ({ message }) => say(`fleetwright mcp: ${message}`),
      },
    );
    try {
      await stopped;
    } catch (error) {
      if (!isCanceled(error)) throw error;
    } finally {
      await handle.close();
    }
    return EXIT_DONE;
  } finally {
    session.dispose();
  }
}

/** @throws UsageError if the folder doesn't exist */
async function openWorkspace({ workspace }: McpCommand): Promise<ToolWorkspace | undefined> {
  if (workspace === undefined) return undefined;
  // A link that is changed later doesn't move the workspace.
  const folder = await realpath(workspace).catch(() => undefined);
  const stats = folder === undefined ? undefined : await stat(folder);
  if (folder !== undefined && stats?.isDirectory()) return new AgentWorkspace(() => [folder]);
  throw new UsageError(`--workspace must be an existing folder, not "${workspace}"`);
}

function toToolSession(
  { stores, connection, getSecrets }: CommandSession,
  workspace: ToolWorkspace | undefined,
): ToolSession {
  const { clock, createId } = systemSession;
  return {
    ...systemSession,
    stores,
    connectionId: connection.id,
    connectionLabel: connection.label,
    getSecrets,
    results: new StoredResults(clock, createId),
    confirmExport: undefined,
    questions: new QuestionLimits(clock),
    writes: undefined,
    workspace,
  };
}
