import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import { grpcOpener } from '../../src/core/api/grpcOpener';
import { ConnectionStore } from '../../src/core/sessions/connectionStore';
import { AgentsFeature } from '../../src/host/features/agents/agents.feature';
import { readCertificateAuthorities } from '../../src/host/platform/certificateAuthorities';
import { AgentProposals } from '../../src/host/platform/documents/agentProposals';
import { settings } from '../../src/manifest/contributions';
import { MemoryKeyValue, MemorySecrets } from '../support/memoryPorts';
import { silentLogger } from '../support/silentLogger';
import { TlsProxy } from '../support/tlsProxy';
import { HostFleet } from './support/hostFleet';

/** Starts servers as VS Code does, with the official client. */
describe('the MCP server of the connection in a real extension host', () => {
  const { Global } = vscode.ConfigurationTarget;
  const configuration = vscode.workspace.getConfiguration();
  const { registerTool, registerMcpServerDefinitionProvider } = vscode.lm;
  let fleet: HostFleet;
  let connections: ConnectionStore;
  let feature: AgentsFeature;
  let provider: vscode.McpServerDefinitionProvider;
  const { token } = new vscode.CancellationTokenSource();

  before(async () => {
    fleet = await HostFleet.open();
    const disposable = { dispose: () => undefined };
    connections = new ConnectionStore({
      secrets: new MemorySecrets(),
      global: new MemoryKeyValue(),
      workspace: new MemoryKeyValue(),
      open: grpcOpener(silentLogger, () => readCertificateAuthorities(silentLogger)),
      logger: silentLogger,
    });
    // The names of tools and providers of the activated extension are taken.
    Object.assign(vscode.lm, {
      registerTool: () => disposable,
      registerMcpServerDefinitionProvider: (_: string, own: vscode.McpServerDefinitionProvider) => {
        provider = own;
        return disposable;
      },
    });
    const commands = { register: () => disposable, execute: () => Promise.resolve() };
    const extension =
      vscode.extensions.getExtension('fleetwright.fleetwright') ?? assert.fail('no extension');
    feature = new AgentsFeature(commands, connections, new AgentProposals(new MemoryKeyValue()), {
      extension,
    });
  });

  after(async () => {
    Object.assign(vscode.lm, { registerTool, registerMcpServerDefinitionProvider });
    await configuration.update(settings.certificateAuthorities.key, undefined, Global);
    await configuration.update(settings.agentWrites.key, undefined, Global);
    feature.dispose();
    connections.dispose();
  });

  /** Returns the definition that VS Code stores, and the one with which it starts the server. */
  async function resolve() {
    const [stored] = (await provider.provideMcpServerDefinitions(token)) ?? [];
    assert.ok(stored instanceof vscode.McpStdioServerDefinition);
    const text = JSON.stringify(stored);
    const started = await provider.resolveMcpServerDefinition?.(stored, token);
    assert.ok(started instanceof vscode.McpStdioServerDefinition);
    return { text, started };
  }

  async function connect({ command, args, env }: vscode.McpStdioServerDefinition): Promise<Client> {
    const client = new Client({ name: 'test', version: '0.0.0' });
    const variables = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, String(value)]),
    );
    await client.connect(new StdioClientTransport({ command, args: [...args], env: variables }));
    return client;
  }

  it('starts from its definition, which has the key only when it is resolved', async () => {
    const { apiKeyId: keyId, apiKey: key } = fleet.credentials;
    await connections.signIn({ baseUrl: fleet.url, keyId, key, label: 'Plain', kind: 'cloud' });
    const { text, started } = await resolve();
    assert.ok(!text.includes(key));
    assert.equal(started.env.SVC_API_KEY, key);
    assert.ok(started.args.every((argument) => !argument.includes(key)));
    const client = await connect(started);
    const { tools } = await client.listTools();
    assert.ok(tools.length > 20);
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    const answer = await client.callTool({ name: 'fleetwright_list_organizations', arguments: {} });
    assert.match(JSON.stringify(answer), /Norrvik Automation/);
    await client.close();
  });

  it('trusts the certificate authorities in the setting, by their paths', async () => {
    await using proxy = await TlsProxy.start(new URL(fleet.url));
    const files = ['/missing/authority.pem', proxy.certificateFile];
    await configuration.update(settings.certificateAuthorities.key, files, Global);
    const { apiKeyId: keyId, apiKey: key } = fleet.credentials;
    connections.reopenAll();
    await connections.signIn({ baseUrl: proxy.url, keyId, key, label: 'TLS', kind: 'cloud' });
    const { started } = await resolve();
    assert.equal(started.env.FLEETWRIGHT_BASE_URL, proxy.url);
    assert.deepEqual(started.args.slice(-2), ['--ca', proxy.certificateFile]);
    const client = await connect(started);
    const answer = await client.callTool({ name: 'fleetwright_list_organizations', arguments: {} });
    assert.match(JSON.stringify(answer), /Norrvik Automation/);
    await client.close();
  });
});
