import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { Sleep } from '../../../../../src/base/clock';
import { organizationId } from '../../../../../src/core/model/ids';
import type { DatasetTarget } from '../../../../../src/core/model/resourceTarget';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { writeDataset } from '../../../../../src/host/features/datasets/writeDataset';
import { CapturingPart } from '../../../../support/capturingPart';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

describe('writing a dataset to a folder', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let part: CapturingPart;
  let target: DatasetTarget;
  let parent: string;
  let path: string;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    part = await CapturingPart.create(fleet, stores);
    const organization = organizationId(fleet.organizationId);
    target = {
      kind: 'dataset',
      connectionId: sessions.connectionToFleet.id,
      organizationId: organization,
      datasetId: await stores.datasets.create(organization, 'pallets'),
      name: 'pallets',
    };
    parent = mkdtempSync(join(tmpdir(), 'fleetwright-export-'));
    path = join(parent, 'pallets');
  });

  afterEach(async () => {
    rmSync(parent, { recursive: true });
    sessions.dispose();
    await fleet.close();
  });

  const never: Sleep = () => new Promise(() => undefined);

  async function write(
    signal = new AbortController().signal,
    onProgress = (): void => undefined,
    sleep = never,
  ) {
    const describeError = (code: string): string => code;
    return writeDataset(stores.binaryData, target, path, {
      describeError,
      sleep,
      signal,
      onProgress,
    });
  }

  /** Returns the contents of the files to which the written lines refer. */
  const written = (): readonly string[] =>
    readFileSync(join(path, 'dataset.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { image_path: string }).image_path)
      .map((file) => readFileSync(join(path, file), 'utf8'))
      .toSorted();

  async function addItems(...contents: string[]): Promise<void> {
    for (const [second, text] of contents.entries()) {
      const id = await part.capture({ second, bytes: Buffer.from(text) });
      await stores.binaryData.addToDataset(target.datasetId, [id]);
    }
  }

  it('writes lines with paths that lead to the contents', async () => {
    await addItems('one', 'two');
    assert.deepEqual(await write(), { exported: 2, failed: [] });
    assert.deepEqual(written(), ['one', 'two']);
    assert.deepEqual(readdirSync(path).toSorted(), ['data', 'dataset.jsonl', 'metadata']);
  });

  it('downloads only new items', async () => {
    await addItems('one');
    await write();
    await addItems('two', 'three');
    fleet.calls.clear();
    await write();
    assert.deepEqual(written(), ['one', 'three', 'two']);
    assert.equal(fleet.calls.get('BinaryDataByIDs'), 2);
  });

  it('preserves the previous lines and the downloaded contents when the user cancels', async () => {
    await addItems('one');
    await write();
    await addItems('two');
    const leaving = new AbortController();
    await assert.rejects(
      write(leaving.signal, () => leaving.abort()),
      { kind: 'canceled' },
    );
    assert.deepEqual(written(), ['one']);
    assert.deepEqual(readdirSync(path).toSorted(), ['data', 'dataset.jsonl', 'metadata']);
  });

  it('stops waiting for a folder that never responds when the export is canceled', async () => {
    const canceling = new AbortController();
    const reached = Promise.withResolvers<undefined>();
    const mkdir = mock.method(files, 'mkdir', () => {
      reached.resolve(undefined);
      return new Promise(() => undefined);
    });
    try {
      const writing = write(canceling.signal, undefined, () => Promise.resolve());
      await reached.promise;
      canceling.abort();
      await assert.rejects(writing, { name: 'AbortError' });
    } finally {
      mkdir.mock.restore();
    }
  });
});
