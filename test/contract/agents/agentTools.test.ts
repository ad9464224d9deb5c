import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { fromRoot } from '../../../scripts/support/paths';
import { agentTools } from '../../../src/core/agentTools/agentTools';
import { answerSchema } from '../../../src/core/agentTools/runTool';
import { toJsonSchema } from '../../../src/core/agentTools/toolSchema';
import { datasetFilter } from '../../../src/core/model/captureFilter';
import type { Dataset } from '../../../src/core/model/dataset';
import { datasetId, machineId, type OrganizationId } from '../../../src/core/model/ids';
import type { FleetStores } from '../../../src/core/stores/fleetStores';
import { agentSession, connectClient } from '../../support/agentSession';
import { DemoAgents } from '../../support/demoAgents';
import { logAsPart } from '../../support/logAsPart';
import { waitUntil } from '../../support/waitUntil';

const SNAPSHOT = fromRoot('test/contract/agents/agentTools.snapshot.json');

const readTools = agentTools.filter(({ operation }) => operation === 'read');

/** Loading the demo fleet takes seconds of processor time, and other tests can run concurrently. */
const LOADING_TIMEOUT_MS = 120_000;

describe('the MCP server on the demo fleet', function () {
  this.timeout(LOADING_TIMEOUT_MS);

  let demo: DemoAgents;
  let client: Client;
  let inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;

  before(async () => {
    demo = await DemoAgents.open();
    const { stores, clock, fleet, key } = demo;
    const tools = agentSession(stores, clock);
    client = await connectClient(tools);
    inputs = {
      ...(await chooseInputs(stores)),
      fleetwright_read_result: { result: tools.results.add('fleetwright_run_sql', '{}').id },
    };
    const { partId } = inputs.fleetwright_read_logs as { readonly partId: string };
    const lines = ['camera is disconnected'];
    await logAsPart(fleet.open, key, { partId, lines, at: clock.now() });
  });

  after(async () => {
    await client.close();
    await demo.close();
  });

  it('lists every tool that reads with its title, schemas, and annotations', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      readTools.map(({ name }) => name),
    );
    for (const [index, tool] of tools.entries()) {
      const definition = readTools[index];
      assert.ok(definition);
      assert.equal(tool.title, definition.title);
      assert.deepEqual(tool.inputSchema, toJsonSchema(definition.input));
      assert.deepEqual(tool.outputSchema, toJsonSchema(answerSchema(definition)));
      assert.equal(tool.annotations?.readOnlyHint, true);
      assert.equal(tool.annotations.destructiveHint, false);
    }
  });

  it('rejects calls while 16 are running, and accepts calls after they finish', async () => {
    const released = Promise.withResolvers<never[]>();
    const session = agentSession(demo.stores, demo.clock, { getSecrets: () => released.promise });
    const busy = await connectClient(session);
    const call = { name: 'fleetwright_list_organizations', arguments: {} };
    const running = Array.from({ length: 16 }, () => busy.callTool(call));
    const rejected = await busy.callTool(call);
    assert.equal(rejected.isError, true);
    assert.match(JSON.stringify(rejected.content), /16 calls are running.*Wait until/);
    const uri = 'fleetwright://parts/any/config';
    await assert.rejects(busy.readResource({ uri }), /16 calls are running/);
    released.resolve([]);
    for (const { isError } of await Promise.all(running)) assert.ok(!isError);
    assert.ok(!(await busy.callTool(call)).isError);
    await busy.close();
  });

  it('has the names and schemas of the snapshot', () => {
    const current = agentTools.map(({ name, operation, permission, input, output }) => ({
      name,
      operation,
      permission: permission ?? null,
      input: toJsonSchema(input),
      output: toJsonSchema(output),
    }));
    // `FLEETWRIGHT_UPDATE_SNAPSHOT=1` accepts a change, which the description of a commit explains.
    if (process.env.FLEETWRIGHT_UPDATE_SNAPSHOT) {
      writeFileSync(SNAPSHOT, `${JSON.stringify(current, undefined, 2)}\n`);
    }
    assert.deepEqual(current, JSON.parse(readFileSync(SNAPSHOT, 'utf8')));
  });

  for (const { name, rows } of readTools) {
    it(`${name} answers with data that matches its schema`, async () => {
      const input = inputs[name];
      assert.ok(input, `the test has no input for ${name}`);
      // The client compares the structured answer with the schema.
      const result = await call(client, name, input);
      const { text, untrusted } = readAnswer(result);
      assert.match(text, /Limit for each answer: 100 rows and 64 KiB/);
      const list = rows === undefined ? undefined : untrusted[rows];
      const hasRows = Array.isArray(list) && list.length > 0;
      assert.ok(rows === undefined || hasRows, `${name} has no rows`);
    });
  }

  it('finds parts by name, and registry items with their type', async () => {
    const find = async (query: string, kind: string) => {
      const result = await call(client, 'fleetwright_find_resources', { query, kinds: [kind] });
      return readAnswer(result).untrusted.resources as Members[];
    };
    const [part] = await find('amr-01-main', 'part');
    assert.equal(part?.name, 'amr-01-main');
    assert.deepEqual((part.path as string[]).at(-1), 'amr-01');
    const item = await find('modbus-io', 'registry_item');
    assert.deepEqual(
      item.map(({ kind, type, id }) => ({ kind, type, id })),
      [{ kind: 'registry_item', type: 'module', id: 'norrvik:modbus-io' }],
    );
  });

  it('shows an image as an image', async () => {
    const { content } = await call(client, 'fleetwright_view_image', inputs.fleetwright_view_image);
    const image = content.find((part) => part.type === 'image');
    assert.ok(image?.type === 'image' && image.mimeType.startsWith('image/'));
    assert.ok(image.data.length > 1000);
  });

  it('rejects an unknown parameter with the known ones', async () => {
    const result = await call(client, 'fleetwright_list_machines', { place: 'x' });
    assert.equal(result.isError, true);
    assert.match(readText(result), /invalid/);
    assert.match(readText(result), /organizationId, locationId, status, search, offset/);
  });

  it('reports a missing resource as an error in a fence', async () => {
    const result = await call(client, 'fleetwright_get_machine', { machineId: 'missing' });
    assert.equal(result.isError, true);
    assert.match(readText(result), /failed \((?:notFound|permission|invalid)\)[^]*<<<untrusted/);
  });

  it('offers configs, logs, and results as resources', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      [
        'fleetwright://parts/{partId}/config',
        'fleetwright://parts/{partId}/resolved-config',
        'fleetwright://parts/{partId}/log',
        'fleetwright://training-jobs/{jobId}/log',
        'fleetwright://results/{result}',
      ],
    );
    const { partId } = inputs.fleetwright_get_part_config as { readonly partId: string };
    for (const name of ['config', 'resolved-config', 'log']) {
      const { contents } = await client.readResource({
        uri: `fleetwright://parts/${partId}/${name}`,
      });
      assert.match(JSON.stringify(contents), /<<<untrusted/);
    }
    await assert.rejects(client.readResource({ uri: 'fleetwright://results/missing' }));
  });

  it('stores the complete result of a limited answer', async () => {
    const query = 'SELECT component_name, time_received, data FROM readings LIMIT 250';
    const { organizationId } = inputs.fleetwright_run_sql as { readonly organizationId: string };
    const limited = await call(client, 'fleetwright_run_sql', { query, organizationId });
    const { limits, untrusted } = readAnswer(limited);
    assert.equal(limits.isComplete, false);
    assert.ok((limits.rows as number) <= 100);
    assert.equal(limits.rowsAvailable, 250);
    assert.equal((untrusted.rows as unknown[]).length, limits.rows);
    const { resources } = await client.listResources();
    const uri = `fleetwright://results/${String(limits.result)}`;
    assert.ok(resources.some((resource) => resource.uri === uri));
    assert.match(JSON.stringify(await client.readResource({ uri })), /<<<untrusted/);
    let json = '';
    for (let offset: unknown = 0; offset !== undefined;) {
      const chunk = readAnswer(
        await call(client, 'fleetwright_read_result', { result: limits.result, offset }),
      ).untrusted;
      json += String(chunk.json);
      offset = chunk.nextOffset;
    }
    assert.equal((JSON.parse(json) as { readonly rows: unknown[] }).rows.length, 250);
  });

  it('reports progress to clients that request it', async () => {
    const reports: number[] = [];
    await client.callTool(
      { name: 'fleetwright_list_machines', arguments: {} },
      { onprogress: ({ progress }) => reports.push(progress) },
    );
    assert.deepEqual(reports, [1, 2]);
  });

  it('has prompts for common tasks', async () => {
    const { prompts } = await client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      [
        'diagnose_machine',
        'review_config',
        'build_dataset',
        'analyze_sensor_data',
        'check_module_release',
      ],
    );
    const { messages } = await client.getPrompt({
      name: 'diagnose_machine',
      arguments: { machine: 'rover' },
    });
    assert.match(JSON.stringify(messages), /rover[^]*fleetwright_read_logs/);
  });
});

function call(client: Client, name: string, input?: object): Promise<CallToolResult> {
  return client.callTool({ name, arguments: { ...input } });
}

function readText({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

type Members = Readonly<Record<string, unknown>>;

function readAnswer(result: CallToolResult): {
  readonly text: string;
  readonly limits: Members;
  readonly untrusted: Members;
} {
  const text = readText(result);
  assert.ok(!result.isError, text);
  const { limits, untrusted } = result.structuredContent as Readonly<Record<string, Members>>;
  assert.ok(limits && untrusted);
  return { text, limits, untrusted };
}

/** Returns an input for each tool, with resources of the demo fleet that have data. */
async function chooseInputs(stores: FleetStores): Promise<Record<string, Members>> {
  const [organization] = await stores.organizations.list();
  assert.ok(organization);
  const organizationId = organization.id;
  const locations = await stores.locations.list(organizationId);
  const [location] = locations;
  const [fragment] = await stores.fragments.list(organizationId);
  const dataset = await findDatasetWithImages(stores, organizationId);
  const filter = { organizationIds: [organizationId], locationIds: [], labels: [] };
  const { items } = await stores.binaryData.page({
    filter: { ...filter, mimeTypes: ['image/jpeg', 'image/png'] },
    order: 'newestFirst',
    limit: 1,
  });
  const [image] = items;
  assert.ok(location && fragment && image);
  const part = await findEditedPart(stores, locations);
  const jobId = await stores.training.submit({
    organizationId,
    datasetId: datasetId(dataset.id),
    modelName: 'pallets',
    modelVersion: '9.9.9',
    task: 'objectDetection',
    labels: ['waits'],
  });
  await waitUntil(async () => {
    const { lines } = await stores.training.logs(jobId);
    return lines.some(({ message }) => message.startsWith('Epoch 1'));
  });
  const partInput = { partId: part.id };
  const organizationInput = { organizationId };
  return {
    fleetwright_find_resources: { query: location.name },
    fleetwright_list_organizations: {},
    fleetwright_list_locations: organizationInput,
    fleetwright_list_machines: {},
    fleetwright_get_machine: { machineId: part.machineId },
    fleetwright_get_metadata: { kind: 'machine', resourceId: part.machineId },
    fleetwright_get_part_config: { ...partInput, isResolved: true },
    fleetwright_get_part_history: partInput,
    fleetwright_compare_part_configs: { ...partInput, before: part.version },
    fleetwright_list_fragments: organizationInput,
    fleetwright_get_fragment: { fragmentId: fragment.id },
    fleetwright_validate_config: { config: '{"components": [{"name": "a", "Model": "b"}]}' },
    fleetwright_read_logs: partInput,
    fleetwright_describe_sensor_data: organizationInput,
    fleetwright_run_sql: { ...organizationInput, query: 'SELECT * FROM readings LIMIT 3' },
    fleetwright_run_mql: { ...organizationInput, query: '[{"$limit": 3}]' },
    fleetwright_list_images: organizationInput,
    fleetwright_view_image: { imageId: image.id },
    fleetwright_list_datasets: organizationInput,
    fleetwright_check_dataset: { datasetId: dataset.id },
    fleetwright_list_training_jobs: organizationInput,
    fleetwright_get_training_job: { jobId },
    fleetwright_read_training_log: { jobId },
    fleetwright_search_registry: {},
    fleetwright_get_registry_item: { itemId: 'norrvik:modbus-io' },
    fleetwright_validate_manifest: { manifest: '{"module_id": "norrvik:modbus-io", "url": 5}' },
    fleetwright_check_permissions: { kind: 'organization', resourceId: organizationId },
  };
}

async function findDatasetWithImages(
  { datasets, binaryData }: FleetStores,
  organization: OrganizationId,
): Promise<Dataset> {
  for (const dataset of await datasets.list(organization)) {
    const filter = { ...datasetFilter(organization, dataset.id), mimeTypes: ['image/jpeg'] };
    if ((await binaryData.count(filter)).count > 0) return dataset;
  }
  throw new Error('the demo fleet has no dataset with images');
}

/** Returns a part whose config was edited. */
async function findEditedPart(
  stores: FleetStores,
  locations: readonly { readonly id: Parameters<FleetStores['machines']['list']>[0] }[],
) {
  for (const { id } of locations) {
    for (const machine of await stores.machines.list(id)) {
      for (const part of await stores.parts.list(machineId(machine.id))) {
        const { items } = await stores.parts.history(part.id, { limit: 5 });
        const edit = items.find(({ old, editedOn }) => old && editedOn);
        if (edit?.editedOn) return { ...part, version: edit.editedOn };
      }
    }
  }
  throw new Error('the demo fleet has no edited part');
}
