import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoService } from '../../scripts/support/demoFleet';
import { connectPublicClient, dataApi } from '../publicClient/publicClient';
import { type JourneyHost, startJourneyWith } from './support/journeyHost';
import { until } from './support/until';
import { uiText } from './support/texts';

type PublicClient = Awaited<ReturnType<typeof connectPublicClient>>;

const machine = 'palletizer-2';
const first = 'cell overview';
const renamed = 'cell overview, labeled';
const images = ['image/jpeg', 'image/png'];

/** The fields of an exported line that this journey uses. */
interface ExportedLine {
  readonly image_path: string;
  readonly binary_data_id: string;
  readonly classification_annotations: readonly { readonly annotation_label: string }[];
  readonly bounding_box_annotations: readonly { readonly annotation_label: string }[];
}

describe('grouping captured images into a dataset', () => {
  let journey: JourneyHost;
  let client: PublicClient;
  let organizationId: string;
  let captured: dataApi.BinaryData[];
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-datasets-'));
    const service = await startDemoService();
    journey = await startJourneyWith(service, folder);
    client = await connectPublicClient(service.credentials);
    const [organization] = await client.appClient.listOrganizations();
    organizationId = organization?.id ?? assert.fail('no organization');
    captured = await items({ robotName: machine });
    const { fleet } = journey.vsCode.workbench;
    await fleet.open();
    await fleet.expand('Gothenburg Plant', 'Palletizing Hall', 'Line 2');
  });

  afterEach(async function () {
    await journey.saveFailureScreenshot(this);
  });

  after(async () => {
    await journey.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Returns images with all their metadata, without content. */
  async function items(
    of: ConstructorParameters<typeof dataApi.Filter>[0],
  ): Promise<dataApi.BinaryData[]> {
    const filter = new dataApi.Filter({
      organizationIds: [organizationId],
      mimeType: images,
      ...of,
    });
    const { data } = await client.dataClient.binaryDataByFilter(
      filter,
      1_000,
      dataApi.Order.ASCENDING,
      '',
      false,
    );
    return data;
  }

  async function dataset(name: string): Promise<string> {
    const all = await client.dataClient.listDatasetsByOrganizationID(organizationId);
    return all.find((one) => one.name === name)?.id ?? '';
  }

  const ids = (data: readonly dataApi.BinaryData[]): readonly string[] =>
    data.map(({ metadata }) => metadata?.binaryDataId ?? '').toSorted();

  it('creates a dataset from all images of a filter', async () => {
    const { fleet, quickInput, messages } = journey.vsCode.workbench;
    await fleet.menu(machine, 'fleetwright.data.browse');
    const panel = journey.vsCode.page
      .locator('iframe.webview.ready')
      .last()
      .contentFrame()
      .frameLocator('#active-frame');
    await panel.locator('.tile').first().click();
    await journey.vsCode.page.keyboard.press('ControlOrMeta+a');
    await panel.getByText(uiText('selectedCount', captured.length)).waitFor();
    await panel
      .getByRole('button', { name: uiText('addToDataset') })
      .first()
      .click();
    await quickInput.pick(uiText('newDataset'));
    await quickInput.enterText(first);
    await messages.pressDialogButton(uiText('add'));
    await messages.waitForMessage(uiText('doneCount', captured.length));
    assert.deepEqual(ids(await items({ datasetId: await dataset(first) })), ids(captured));
  });

  it('shows the dataset in the tree, and renames it', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    await fleet.collapse('Gothenburg Plant');
    await fleet.expand(uiText('datasets'));
    const id = await dataset(first);
    await fleet.menu(first, 'fleetwright.dataset.rename');
    await quickInput.enterText(renamed);
    await fleet.row(renamed).waitFor();
    assert.equal(await dataset(renamed), id);
  });

  it('reports what is missing until the dataset is ready for training', async () => {
    const { fleet, editors } = journey.vsCode.workbench;
    const labeled = captured.filter(({ metadata }) => metadata?.annotations?.bboxes.length).length;
    const missingLabels = Math.ceil(captured.length * 0.8) - labeled;
    await fleet.menu(renamed, 'fleetwright.dataset.showReadiness');
    await editors.activeTab(`${safe(renamed)} readiness.txt`).waitFor();
    await editors.line('Object detection: not ready').waitFor();
    await editors.line(uiText('drawBoxesOn', missingLabels)).waitFor();
    for (const { metadata } of captured.slice(0, missingLabels + labeled)) {
      if (metadata?.annotations?.bboxes.length) continue;
      const id = metadata?.binaryDataId ?? '';
      await client.dataClient.addBoundingBoxToImageById(id, 'pallet', 0.1, 0.1, 0.5, 0.5);
    }
    await editors.focus();
    await journey.vsCode.workbench.run('fleetwright.dataset.checkAgain');
    await editors.text('Met: At least 80% of the images labeled').waitFor();
  });

  it('exports the dataset as JSON Lines with the same images as on the service', async () => {
    const { fleet, quickInput, messages } = journey.vsCode.workbench;
    await fleet.menu(renamed, 'fleetwright.dataset.export');
    await quickInput.enterPath(folder);
    await messages.waitForMessage(uiText('exportedItems', captured.length));
    const path = join(folder, safe(renamed));
    const lines = readFileSync(join(path, 'dataset.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ExportedLine);
    const datasetItems = await items({ datasetId: await dataset(renamed) });
    assert.deepEqual(lines.map((line) => line.binary_data_id).toSorted(), ids(datasetItems));
    const byId = new Map(datasetItems.map(({ metadata }) => [metadata?.binaryDataId, metadata]));
    for (const line of lines) {
      const boxes = byId.get(line.binary_data_id)?.annotations?.bboxes ?? [];
      assert.deepEqual(
        line.bounding_box_annotations.map((box) => box.annotation_label),
        boxes.map(({ label }) => label),
      );
      assert.ok(statSync(join(path, line.image_path)).size > 0);
    }
    const [one] = lines;
    const [content] = await client.dataClient.binaryDataByIds([one?.binary_data_id ?? '']);
    const file = readFileSync(join(path, one?.image_path ?? ''));
    assert.ok(file.equals(content?.binary ?? new Uint8Array()));
  });

  it('deletes the dataset after the user types its name, and preserves its items', async () => {
    const { fleet, quickInput } = journey.vsCode.workbench;
    await fleet.menu(renamed, 'fleetwright.dataset.delete');
    await quickInput.problem
      .filter({ hasText: uiText('datasetItemsStay', captured.length) })
      .waitFor();
    await quickInput.enterText(renamed);
    await until('the dataset was deleted', async () => (await dataset(renamed)) === '');
    await fleet.row(renamed).waitFor({ state: 'detached' });
    assert.deepEqual(ids(await items({ robotName: machine })), ids(captured));
  });
});

/** Converts a name to a valid file name. */
function safe(name: string): string {
  return name.replaceAll(',', '_');
}
