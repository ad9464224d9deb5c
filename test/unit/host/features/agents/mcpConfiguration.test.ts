import assert from 'node:assert/strict';
import '../../../../support/plainVscode';
import { ConnectionStore } from '../../../../../src/core/sessions/connectionStore';
import { addKey, provideServers } from '../../../../../src/host/features/agents/mcpConfiguration';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { MemoryKeyValue, MemorySecrets } from '../../../../support/memoryPorts';
import { silentLogger } from '../../../../support/silentLogger';

type McpStdioServerDefinition = ReturnType<typeof provideServers>[number];

describe('MCP server of a connection', () => {
  let fleet: MemoryFleet;
  let connections: ConnectionStore;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    connections = new ConnectionStore({
      secrets: new MemorySecrets(),
      global: new MemoryKeyValue(),
      workspace: new MemoryKeyValue(),
      open: fleet.open,
      logger: silentLogger,
    });
  });

  afterEach(async () => {
    connections.dispose();
    await fleet.close();
  });

  async function signIn(baseUrl = fleet.baseUrl): Promise<McpStdioServerDefinition> {
    const { id: keyId, secret: key } = fleet.key;
    await connections.signIn({ label: 'Test', baseUrl, keyId, key, kind: 'cloud' });
    const [server] = provideServers(connections, '/cli.js');
    assert.ok(server);
    return server;
  }

  it('exists only while the window has a connection', () => {
    assert.deepEqual(provideServers(connections, '/cli.js'), []);
  });

  it('has no key in its definition, which VS Code stores', async () => {
    const server = await signIn();
    assert.ok(!JSON.stringify(server).includes(fleet.key.secret));
    assert.deepEqual(server.args, ['/cli.js', 'mcp']);
    assert.equal(server.env.SVC_API_KEY_ID, fleet.key.id);
  });

  it('gets the key through its environment when it starts', async () => {
    const server = (await addKey(connections, await signIn())) as McpStdioServerDefinition;
    assert.equal(server.env.SVC_API_KEY, fleet.key.secret);
    assert.equal(server.env.FLEETWRIGHT_BASE_URL, fleet.baseUrl);
    assert.ok(!JSON.stringify(server.args).includes(fleet.key.secret));
  });

  it('does not start after a sign-out', async () => {
    const server = await signIn();
    for (const { id } of connections.connections) await connections.signOut(id);
    await assert.rejects(addKey(connections, server), { kind: 'unauthenticated' });
  });

  it('sends the key in clear only where the user has accepted it', async () => {
    const { args } = await signIn('http://fleet.example.com');
    assert.deepEqual(args, ['/cli.js', 'mcp', '--allow-plain-http']);
  });
});
