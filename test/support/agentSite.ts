import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReadiness } from '../../src/core/data/datasets/datasetReadiness';
import { presentJson } from '../../src/core/documents/jsonText';
import { datasetFilter } from '../../src/core/model/captureFilter';
import { type BinaryDataId, datasetId, type PartId } from '../../src/core/model/ids';
import { AgentWorkspace } from '../../src/files/agentWorkspace';
import { DemoAgents } from './demoAgents';
import { writeModule } from './workspaceModule';

/** The demo fleet, with resources that tools can change. */
export class AgentSite {
  private number = 0;
  /** Folder with a workspace, absent until a tool needs it. */
  private folder: string | undefined;

  private constructor(
    readonly demo: DemoAgents,
    readonly part: PartId,
    readonly machineName: string,
    readonly image: BinaryDataId,
    /** Dataset that is ready for object detection. */
    private readonly dataset: string,
  ) {}

  static async open(): Promise<AgentSite> {
    const demo = await DemoAgents.open();
    const { stores } = demo;
    for (const { id: organizationId } of await stores.organizations.list()) {
      for (const dataset of await stores.datasets.list(organizationId)) {
        const scope = { organizationId, datasetId: dataset.id };
        const { trainings } = await readReadiness(stores.binaryData, scope, {
          signal: new AbortController().signal,
        });
        if (!trainings.some(({ kind, isReady }) => kind === 'detection' && isReady)) continue;
        const { items } = await stores.binaryData.page({
          filter: {
            ...datasetFilter(organizationId, dataset.id),
            mimeTypes: ['image/jpeg', 'image/png'],
          },
          order: 'newestFirst',
          limit: 1,
        });
        const [image] = items;
        if (!image) continue;
        const machine = await stores.machines.get(image.source.machineId);
        const [part] = await stores.parts.list(machine.id);
        assert.ok(part);
        return new AgentSite(demo, part.id, machine.name, image.id, dataset.id);
      }
    }
    throw new Error('the demo fleet has no dataset that is ready for training');
  }

  /** Workspace of the tools, with a module that can be uploaded. */
  readonly workspace = new AgentWorkspace(() => [this.workspaceFolder]);

  get workspaceFolder(): string {
    this.folder ??= mkdtempSync(join(tmpdir(), 'fleetwright-agents-'));
    return this.folder;
  }

  /** Closes the fleet, and deletes the workspace. */
  async close(): Promise<void> {
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true });
    await this.demo.close();
  }

  /** Returns a valid input for a tool, each time with another change. */
  async createInput(tool: string): Promise<Readonly<Record<string, unknown>>> {
    this.number += 1;
    const { demo, part: partId, image, number, dataset } = this;
    const { stores } = demo;
    const itemIds = [image];
    switch (tool) {
      case 'fleetwright_propose_part_config': {
        const { configText, lastUpdated: version } = await stores.parts.get(partId, {
          fresh: true,
        });
        const value = JSON.parse(configText) as object;
        const config = presentJson(JSON.stringify({ ...value, jobs: [], number }));
        return { partId, version, config };
      }
      case 'fleetwright_propose_fragment': {
        const [organization] = await stores.organizations.list();
        assert.ok(organization);
        const [fragment] = await stores.fragments.list(organization.id, { fresh: true });
        assert.ok(fragment);
        const { id: fragmentId, revision } = await stores.fragments.get(fragment.id, {
          fresh: true,
        });
        return { fragmentId, revision, config: JSON.stringify({ components: [], number }) };
      }
      case 'fleetwright_deploy_module': {
        await stores.parts.updateConfig(partId, { name: 'main', configText: `{"n": ${number}}` });
        return { partId, itemId: 'norrvik:modbus-io', moduleVersion: 'latest' };
      }
      case 'fleetwright_restart_part':
        return { partId };
      case 'fleetwright_submit_training':
        return { datasetId: dataset, task: 'objectDetection', modelName: `model-${number}` };
      case 'fleetwright_cancel_training': {
        const { organizationId } = await stores.datasets.get(datasetId(dataset));
        const jobId = await stores.training.submit({
          organizationId,
          datasetId: datasetId(dataset),
          modelName: `canceled-${number}`,
          modelVersion: '1.0.0',
          task: 'objectDetection',
          labels: ['waits'],
        });
        return { jobId };
      }
      case 'fleetwright_add_tags':
        return { itemIds, tags: [`tag-${number}`] };
      case 'fleetwright_remove_tags':
        await stores.binaryData.addTags(itemIds, [`tag-${number}`]);
        return { itemIds, tags: [`tag-${number}`] };
      case 'fleetwright_add_boxes': {
        const box = { xMin: 0.1, yMin: 0.1, xMax: 0.2, yMax: 0.2 };
        return { imageId: image, boxes: [{ label: `box-${number}`, ...box }] };
      }
      case 'fleetwright_add_to_dataset':
        await stores.binaryData.removeFromDataset(datasetId(dataset), itemIds);
        return { itemIds, datasetId: dataset };
      case 'fleetwright_remove_from_dataset':
        await stores.binaryData.addToDataset(datasetId(dataset), itemIds);
        return { itemIds, datasetId: dataset };
      case 'fleetwright_upload_module': {
        const moduleId = 'norrvik:modbus-io';
        const folder = `module-${number}`;
        writeModule(join(this.workspaceFolder, folder), { moduleId });
        return { moduleId, moduleVersion: `9.0.${number}`, folder };
      }
      default:
        throw new Error(`the test has no input for ${tool}`);
    }
  }
}
