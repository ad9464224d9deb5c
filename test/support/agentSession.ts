import { randomBytes } from 'node:crypto';
import { Client, type ClientCapabilities, type ElicitResult } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../../src/base/clock';
import { createMcpServer } from '../../src/cli/mcp/mcpServer';
import type { AgentTool, ToolSession, WriteAccess } from '../../src/core/agentTools/agentTool';
import { agentTools, findTool } from '../../src/core/agentTools/agentTools';
import { QuestionLimits } from '../../src/core/agentTools/questionLimits';
import { type AgentAnswer, runTool } from '../../src/core/agentTools/runTool';
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
    confirmExport: undefined,
    questions: new QuestionLimits(clock),
    writes: undefined,
    workspace: undefined,
    ...more,
  };
}

/** Person who answers the questions of a client. */
export type Answer = (question: string) => ElicitResult | Promise<ElicitResult>;

/** Answer of a person who agrees. */
export const AGREES: ElicitResult = { action: 'accept', content: { confirm: true } };

interface ClientOptions {
  readonly tools?: readonly AgentTool[];
  /** Answers questions; absent for a client without elicitation. */
  readonly answer?: Answer | undefined;
  /** Capability for elicitation; by default, the one of clients without modes. */
  readonly elicitation?: NonNullable<ClientCapabilities['elicitation']>;
  /** Protocol of 2025 by default. */
  readonly protocol?: '2026-07-28';
}

/** Connects the official client to a server for the session, in memory. */
export async function connectClient(
  session: ToolSession,
  { tools = agentTools, answer, elicitation = {}, protocol }: ClientOptions = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '0.0.0' },
    {
      ...(answer && { capabilities: { elicitation } }),
      ...(protocol && { versionNegotiation: { mode: { pin: protocol } } }),
    },
  );
  if (answer) {
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message));
  }
  const [left, right] = InMemoryTransport.createLinkedPair();
  serveStdio(() => createMcpServer(session, tools, '0.0.0'), { transport: left });
  await client.connect(right);
  return client;
}

/** Runs a tool for a person who agrees in a dialog, without an editor. */
export function runWithPerson(
  session: ToolSession,
  name: string,
  input: object,
  writes: Partial<WriteAccess> = {},
): Promise<AgentAnswer> {
  const access: WriteAccess = {
    requireAllowed: () => undefined,
    waitsForAnswer: true,
    confirm: () => Promise.resolve('accepted'),
    ...writes,
  };
  const { signal } = new AbortController();
  return runTool(findTool(name), input, { ...session, writes: access }, { signal });
}
