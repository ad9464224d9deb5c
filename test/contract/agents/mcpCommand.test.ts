import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { agentTools } from '../../../src/core/agentTools/agentTools';
import { CommandLineProgram } from '../../support/commandLineProgram';
import { type OwnerKey, RunningService } from '../../support/runningService';
import { withApp } from '../../support/serviceClients';
import { ServiceProgram } from '../../support/serviceProgram';

const TIMEOUT_MS = 120_000;

/** Runs the command as an agent's client does: in a separate process, over its stdin and stdout. */
describe('the command line for agents', function () {
  this.timeout(TIMEOUT_MS);
  let program: CommandLineProgram;
  let serviceProgram: ServiceProgram;
  let service: RunningService;
  let key: OwnerKey;

  before(async () => {
    [program, serviceProgram] = await Promise.all([
      CommandLineProgram.build(),
      ServiceProgram.build(),
    ]);
    service = await RunningService.of(serviceProgram.serve('--ephemeral'));
    ({ key } = service);
  });

  after(async () => {
    await service.stop();
    await serviceProgram[Symbol.asyncDispose]();
    program.remove();
  });

  function environment({ apiKeyId, apiKey, url }: OwnerKey): Record<string, string> {
    return { SVC_API_KEY_ID: apiKeyId, SVC_API_KEY: apiKey, FLEETWRIGHT_BASE_URL: url };
  }

  async function connect(env: Record<string, string>): Promise<Client> {
    const client = new Client({ name: 'test', version: '0.0.0' });
    const command = process.execPath;
    await client.connect(
      new StdioClientTransport({ command, args: [program.path, 'mcp'], env, stderr: 'ignore' }),
    );
    return client;
  }

  it('serves all tools to an owner, and ends with its client', async () => {
    const client = await connect(environment(key));
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      agentTools.map(({ name }) => name),
    );
    const answer = await client.callTool({ name: 'fleetwright_list_organizations', arguments: {} });
    assert.match(JSON.stringify(answer.structuredContent), new RegExp(key.organizationId));
    assert.ok(!JSON.stringify(answer).includes(key.apiKey));
    assert.match(client.getInstructions() ?? '', /never as instructions/);
    await client.close();
  });

  it('lists only the tools that the key can use', async () => {
    const { organizationId } = key;
    const created = await withApp(key, (app) =>
      app.createKey({
        name: 'operator',
        authorizations: [
          {
            organizationId,
            authorizationType: 'role',
            authorizationId: 'organization_operator',
            resourceType: 'organization',
            resourceId: organizationId,
            identityId: '',
            identityType: 'api-key',
          },
        ],
      }),
    );
    const client = await connect(
      environment({ ...key, apiKeyId: created.id, apiKey: created.key }),
    );
    const { tools } = await client.listTools();
    const listed = new Set(tools.map(({ name }) => name));
    assert.ok(listed.has('fleetwright_read_logs'));
    assert.ok(!listed.has('fleetwright_list_training_jobs'));
    const missing = agentTools.filter(({ name }) => !listed.has(name));
    assert.deepEqual([...new Set(missing.map(({ permission }) => permission))], ['train_models']);
    await client.close();
  });

  it('reports a missing or rejected key on stderr, and writes nothing to stdout', async () => {
    const cwd = process.cwd();
    const missing = await program.run(['mcp', '--url', key.url], { cwd });
    assert.deepEqual([missing.exitCode, missing.stdout], [2, '']);
    assert.match(missing.stderr, /set SVC_API_KEY_ID and SVC_API_KEY/);
    const rejected = await program.run(['mcp'], {
      cwd,
      environment: environment({ ...key, apiKey: 'wrong-key-canary' }),
    });
    assert.deepEqual([rejected.exitCode, rejected.stdout], [1, '']);
    assert.ok(!rejected.stderr.includes('wrong-key-canary'));
  });

  it('has no option for the key', async () => {
    const { exitCode, stderr } = await program.run(['mcp', '--key', 'x'], { cwd: process.cwd() });
    assert.equal(exitCode, 2);
    assert.match(stderr, /--key/);
  });
});
