import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { agentTools } from '../../../src/core/agentTools/agentTools';
import { AGREES } from '../../support/agentSession';
import { CommandLineProgram } from '../../support/commandLineProgram';
import { type OwnerKey, RunningService } from '../../support/runningService';
import { withApp } from '../../support/serviceClients';
import { ServiceProgram } from '../../support/serviceProgram';
import { TlsProxy } from '../../support/tlsProxy';

const readTools = agentTools.filter(({ operation }) => operation === 'read');

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

  async function connect(
    env: Record<string, string>,
    options: readonly string[] = [],
    clientOptions: ConstructorParameters<typeof Client>[1] = {},
  ): Promise<Client> {
    const client = new Client({ name: 'test', version: '0.0.0' }, clientOptions);
    if (clientOptions.capabilities?.elicitation) {
      client.setRequestHandler('elicitation/create', () => AGREES);
    }
    const command = process.execPath;
    const args = [program.path, 'mcp', ...options];
    await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
    return client;
  }

  it('serves all tools that read to an owner, and ends with its client', async () => {
    const client = await connect(environment(key));
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      readTools.map(({ name }) => name),
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
    const missing = readTools.filter(({ name }) => !listed.has(name));
    assert.deepEqual([...new Set(missing.map(({ permission }) => permission))], ['train_models']);
    await client.close();
  });

  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    const clientOptions = {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode },
    };

    it(`changes something only with --allow-writes (${JSON.stringify(mode)})`, async () => {
      const { organizationId } = key;
      const partId = await withApp(key, async (app) => {
        const { location } = await app.createLocation({ organizationId, name: 'Hall' });
        const { id: robotId } = await app.newRobot({ name: 'rover', location: location?.id ?? '' });
        const { parts } = await app.getRobotParts({ robotId });
        return parts[0]?.id ?? assert.fail();
      });
      const restart = { name: 'fleetwright_restart_part', arguments: { partId } };
      const readOnly = await connect(environment(key), [], clientOptions);
      const { tools } = await readOnly.listTools();
      assert.equal(tools.length, readTools.length);
      await assert.rejects(readOnly.callTool(restart), /not found/);
      await readOnly.close();
      const options = ['--allow-writes', '--workspace', process.cwd()];
      const writing = await connect(environment(key), options, clientOptions);
      assert.equal((await writing.listTools()).tools.length, agentTools.length);
      const { isError, structuredContent } = await writing.callTool(restart);
      assert.ok(!isError, JSON.stringify(structuredContent));
      assert.match(JSON.stringify(structuredContent), /rover/);
      await writing.close();
    });
  }

  it('exports only into the folder of --workspace', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-mcp-'));
    try {
      const client = await connect(environment(key), ['--workspace', folder]);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        agentTools.filter(({ operation }) => operation !== 'write').map(({ name }) => name),
      );
      const query = { language: 'sql', query: 'SELECT part_id FROM readings', format: 'csv' };
      const run = (path: string) =>
        client.callTool({ name: 'fleetwright_export_query', arguments: { ...query, path } });
      const { isError, structuredContent } = await run('rows.csv');
      assert.ok(!isError, JSON.stringify(structuredContent));
      assert.deepEqual(readdirSync(folder), ['rows.csv']);
      assert.match(JSON.stringify(await run('../rows.csv')), /isn't in the workspace/);
      await client.close();
      const missing = ['mcp', '--workspace', join(folder, 'missing')];
      const { exitCode, stderr } = await program.run(missing, {
        cwd: process.cwd(),
        environment: environment(key),
      });
      assert.deepEqual([exitCode, stderr.includes('must be an existing folder')], [2, true]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('drops a message that is too long with an error, and answers the next one', async () => {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [program.path, 'mcp'], {
      env: { PATH, ...environment(key) },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const readAnswer = async (): Promise<string> => String((await lines.next()).value);
    child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(11 * 1024 ** 2)}"}\n`);
    assert.match(await readAnswer(), /"id":null,"error":\{"code":-32600[^]*longer than 10 MiB/);
    const clientInfo = { name: 'test', version: '0.0.0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const request = { jsonrpc: '2.0', id: 2, method: 'initialize', params };
    child.stdin.write(`${JSON.stringify(request)}\n`);
    assert.match(await readAnswer(), /"id":2/);
    child.stdin.end();
    const [exitCode] = (await once(child, 'close')) as [number];
    assert.equal(exitCode, 0);
  });

  it('trusts the certificate authorities of --ca', async () => {
    await using proxy = await TlsProxy.start(new URL(key.url));
    const env = { ...environment(key), FLEETWRIGHT_BASE_URL: proxy.url };
    const cwd = process.cwd();
    const untrusted = await program.run(['mcp'], { cwd, environment: env });
    assert.deepEqual([untrusted.exitCode, untrusted.stdout], [1, '']);
    assert.match(untrusted.stderr, /certificate .+ isn't trusted/);
    const unreadable = await program.run(['mcp', '--ca', '/missing.pem'], {
      cwd,
      environment: env,
    });
    assert.equal(unreadable.exitCode, 2);
    assert.match(unreadable.stderr, /cannot read the certificate authority from \/missing\.pem/);
    const client = await connect(env, ['--ca', proxy.certificateFile]);
    const answer = await client.callTool({ name: 'fleetwright_list_organizations', arguments: {} });
    assert.match(JSON.stringify(answer.structuredContent), new RegExp(key.organizationId));
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
