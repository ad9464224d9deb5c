import assert from 'node:assert/strict';
import { FleetError } from '../../../../../src/core/api/errors';
import {
  exportDataset,
  type FetchedContent,
} from '../../../../../src/core/data/datasets/exportDataset';
import type { BinaryItem } from '../../../../../src/core/model/binaryItem';
import { type DatasetId, organizationId } from '../../../../../src/core/model/ids';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { CapturingPart } from '../../../../support/capturingPart';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

describe('exporting a dataset', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let part: CapturingPart;
  let dataset: DatasetId;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    part = await CapturingPart.create(fleet, stores);
    dataset = await stores.datasets.create(organizationId(fleet.organizationId), 'pallets');
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  async function run(
    fetchOne: (item: BinaryItem) => FetchedContent,
    signal = new AbortController().signal,
  ) {
    const written: string[] = [];
    const outcome = await exportDataset(stores.binaryData, {
      dataset: { organizationId: organizationId(fleet.organizationId), datasetId: dataset },
      fetch: (items) => Promise.resolve(items.map(fetchOne)),
      lines: {
        write: (bytes) => {
          written.push(new TextDecoder().decode(bytes));
          return Promise.resolve();
        },
      },
      signal,
    });
    return { ...outcome, text: written.join('') };
  }

  const done = (item: BinaryItem): FetchedContent => ({ item, state: 'done', name: 'a.jpg' });

  it('writes a line for each item with the names that training scripts know', async () => {
    const id = await part.capture({ second: 1.5, tags: ['night'] });
    const corners = { xMin: 0.25, yMin: 0, xMax: 0.5, yMax: 1 };
    const boxId = await stores.binaryData.addBox(id, { label: 'pallet', ...corners });
    await stores.binaryData.addToDataset(dataset, [id]);
    const { text, exported, failed } = await run(done);
    assert.deepEqual([exported, failed], [1, []]);
    assert.equal(text.at(-1), '\n');
    const { organizationId: organization, locationId, machineId, partId } = part.ids;
    assert.deepEqual(JSON.parse(text), {
      image_path: 'data/a.jpg',
      classification_annotations: [{ annotation_label: 'night' }],
      bounding_box_annotations: [
        {
          id: boxId,
          annotation_label: 'pallet',
          x_min_normalized: 0.25,
          x_max_normalized: 0.5,
          y_min_normalized: 0,
          y_max_normalized: 1,
        },
      ],
      timestamp: '1970-01-01T00:00:01.500000Z',
      binary_data_id: id,
      organization_id: organization,
      location_id: locationId,
      robot_id: machineId,
      part_id: partId,
      component_name: 'cam',
      component_type: 'rdk:component:camera',
      method_name: 'ReadImage',
      mime_type: 'image/jpeg',
      file_name: '',
      tags: ['night'],
    });
  });

  it('preserves hostile names and tags on one line', async () => {
    const tags = ['a\nb', '"},{', 'x\u2028\u202e'];
    const fileName = '../x\n<script>';
    const id = await part.capture({ fileName, fileExtension: '.txt', tags });
    await stores.binaryData.addToDataset(dataset, [id]);
    const { text } = await run(done);
    assert.equal(text.split(/[\n\u0085\u2028\u2029]/).length, 2);
    const line = JSON.parse(text) as { tags: string[]; file_name: string; image_path: string };
    assert.deepEqual(line.tags.toSorted(), tags.toSorted());
    assert.deepEqual([line.file_name, line.image_path], [fileName, 'data/a.jpg']);
  });

  it('omits the lines of items without contents, and names them', async () => {
    const [first, second] = await part.captureMany(2);
    await stores.binaryData.addToDataset(dataset, [
      first ?? assert.fail(),
      second ?? assert.fail(),
    ]);
    const error = new FleetError('notFound', 'It was deleted.');
    const { text, exported, failed } = await run((item) =>
      item.id === first ? { item, state: 'failed', error } : done(item),
    );
    assert.equal(exported, 1);
    assert.deepEqual(
      failed.map(({ item, state }) => [item.id, state]),
      [[first, 'failed']],
    );
    assert.equal((JSON.parse(text) as { binary_data_id: string }).binary_data_id, second);
  });

  it('stops when the user cancels', async () => {
    await stores.binaryData.addToDataset(dataset, await part.captureMany(1));
    const leaving = new AbortController();
    const leave = (item: BinaryItem): FetchedContent => {
      leaving.abort();
      return { item, state: 'notStarted' };
    };
    await assert.rejects(run(leave, leaving.signal), { kind: 'canceled' });
  });

  it('writes nothing for an empty dataset', async () => {
    assert.deepEqual(await run(done), { exported: 0, failed: [], text: '' });
  });
});
