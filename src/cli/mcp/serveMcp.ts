import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '../../../package.json';
import { systemClock } from '../../base/clock';
import type { ToolSession } from '../../core/agentTools/agentTool';
import { listPermittedTools } from '../../core/agentTools/agentTools';
import { StoredResults } from '../../core/agentTools/storedResults';
import { isCanceled } from '../../core/api/errors';
import type { McpCommand } from '../commandLine';
import type { CommandSession, Connect } from '../connect';
import { EXIT_DONE, type Output } from '../report';
import { createMcpServer } from './mcpServer';

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
  const session = await connect(command);
  try {
    // Reports a wrong URL or key immediately, not with the first call of an agent.
    await session.stores.organizations.list({ signal });
    const tools = await listPermittedTools(session.stores, signal);
    const stopped = once(process.stdin, 'end', { signal });
    const handle = serveStdio(() => createMcpServer(toToolSession(session), tools, version), {
      onerror: ({ message }) => say(`fleetwright mcp: ${message}`),
    });
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

function toToolSession({ stores, connection, getSecrets }: CommandSession): ToolSession {
  const createId = (): string => randomBytes(16).toString('hex');
  return {
    stores,
    connectionId: connection.id,
    connectionLabel: connection.label,
    clock: systemClock,
    getSecrets,
    results: new StoredResults(systemClock, createId),
    createId,
    createTimeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  };
}
