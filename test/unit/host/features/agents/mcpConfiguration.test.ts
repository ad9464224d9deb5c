import assert from 'node:assert/strict';
import { join } from 'node:path';
import { configuration } from '../../../../support/plainVscode';
import { ConnectionStore } from '../../../../../src/core/sessions/connectionStore';
import { addKey, provideServers } from '../../../../../src/host/features/agents/mcpConfiguration';
import { settings } from '../../../../../src/manifest/contributions';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { MemoryKeyValue, MemorySecrets } from '../../../../support/memoryPorts';
import { silentLogger } from '../../../../support/silentLogger';

/** Folder of the extension, and the path of the command line. */
const EXTENSION = join('/', 'extension');
const CLI = join(EXTENSION, 'dist', 'cli.js');

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
    configuration.clear();
    connections.dispose();
    await fleet.close();
  });

  async function signIn(baseUrl = fleet.baseUrl): Promise<McpStdioServerDefinition> {
    const { id: keyId, secret: key } = fleet.key;
    await connections.signIn({ label: 'Test', baseUrl, keyId, key, kind: 'cloud' });
    const [server] = provideServers(connections, EXTENSION);
    assert.ok(server);
    return server;
  }

  it('exists only while the window has a connection', () => {
    assert.deepEqual(provideServers(connections, EXTENSION), []);
  });

  it('has no key in its definition, which VS Code stores', async () => {
    const server = await signIn();
    assert.ok(!JSON.stringify(server).includes(fleet.key.secret));
    assert.deepEqual(server.args, [CLI, 'mcp']);
    assert.equal(server.env.SVC_API_KEY_ID, fleet.key.id);
  });

  it('gets the key through its environment when it starts', async () => {
    const server = (await addKey(
      connections,
      EXTENSION,
      await signIn(),
    )) as McpStdioServerDefinition;
    assert.equal(server.env.SVC_API_KEY, fleet.key.secret);
    assert.equal(server.env.FLEETWRIGHT_BASE_URL, fleet.baseUrl);
    assert.ok(!JSON.stringify(server.args).includes(fleet.key.secret));
  });

  it('allows changes only if the setting lists the connection and it is not read-only', async () => {
    configuration.set(settings.agentWrites.key, ['Other', 'T*']);
    const server = await signIn();
    assert.deepEqual(server.args, [CLI, 'mcp', '--allow-writes']);
    const [connection] = connections.connections;
    assert.ok(connection);
    await connections.setReadOnly(connection.id, true);
    const [readOnly] = provideServers(connections, EXTENSION);
    assert.deepEqual(readOnly?.args, [CLI, 'mcp']);
    // The definition can be older than the state of the connection.
    const started = (await addKey(connections, EXTENSION, server)) as McpStdioServerDefinition;
    assert.deepEqual(started.args, [CLI, 'mcp']);
  });

  it('does not start after a sign-out', async () => {
    const server = await signIn();
    for (const { id } of connections.connections) await connections.signOut(id);
    await assert.rejects(addKey(connections, EXTENSION, server), { kind: 'unauthenticated' });
  });

  it('sends the key in clear only where the user has accepted it', async () => {
    const { args } = await signIn('http://fleet.example.com');
    assert.deepEqual(args, [CLI, 'mcp', '--allow-plain-http']);
  });
});
