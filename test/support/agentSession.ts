import { randomBytes } from 'node:crypto';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import type { Clock } from '../../src/base/clock';
import { createMcpServer } from '../../src/cli/mcp/mcpServer';
import type { AgentTool, ToolSession } from '../../src/core/agentTools/agentTool';
import { agentTools } from '../../src/core/agentTools/agentTools';
import { StoredResults } from '../../src/core/agentTools/storedResults';
import { connectionId } from '../../src/core/model/ids';
import type { FleetStores } from '../../src/core/stores/fleetStores';

/** Returns a session for tools, whose calls never time out. */
export function agentSession(
  stores: FleetStores,
  clock: Clock,
  more: Partial<ToolSession> = {},
): ToolSession {
  const createId = (): string => randomBytes(16).toString('hex');
  return {
    stores,
    connectionId: connectionId('test'),
    connectionLabel: 'Test',
    clock,
    getSecrets: () => Promise.resolve([]),
    results: new StoredResults(clock, createId),
    createId,
    createTimeout: () => new AbortController().signal,
    ...more,
  };
}

/** Connects the official client to a server for the session, in memory. */
export async function connectClient(
  session: ToolSession,
  tools: readonly AgentTool[] = agentTools,
): Promise<Client> {
  const server = createMcpServer(session, tools, '0.0.0');
  const client = new Client({ name: 'test', version: '0.0.0' });
  const [left, right] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(left), client.connect(right)]);
  return client;
}
