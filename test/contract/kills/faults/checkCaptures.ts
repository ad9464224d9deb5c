import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type Client, createClient } from '@connectrpc/connect';
import { deserialize } from 'bson';
import { type BinaryData, DataService } from '../../../../src/gen/viam/app/data/v1/data_pb';
import type { RunningService } from '../../../support/runningService';
import { createContent, isStreamed } from './capturedContent';
import type { CaptureLedger, ItemUpload, ReadingsUpload } from './captureLedger';
import { DOOMED, LASTING } from './captureMix';

type DataClient = Client<typeof DataService>;

const PAGE = 10_000n;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Compares a service's responses with the data that it acknowledged, and records in the ledger the
 * state of all operations that were in progress when it was killed.
 */
export async function checkCaptures(
  service: RunningService,
  partId: string,
  ledger: CaptureLedger,
): Promise<void> {
  const data = createClient(DataService, service.transport);
  await checkReadings(data, service.key.organizationId, partId, ledger.readings);
  await checkItems(service, data, ledger.items);
}

async function checkReadings(
  data: DataClient,
  organizationId: string,
  partId: string,
  uploads: readonly ReadingsUpload[],
): Promise<void> {
  const paged = await pagedReadings(data);
  const numbers = new Set(paged);
  assert.equal(numbers.size, paged.length, 'a reading is in the pages twice');
  assert.deepEqual(await exportedReadings(data, partId), sorted(paged), 'exports');
  assert.deepEqual(await queriedReadings(data, organizationId), sorted(paged), 'SQL');

  let expected = 0;
  for (const upload of uploads) {
    const { first, count, standing } = upload;
    const present = Array.from({ length: count }, (_, n) => first + n).filter((n) =>
      numbers.has(n),
    ).length;
    expected += present;
    const summary = `${String(present)} of ${String(count)} readings from ${String(first)} (${standing})`;
    if (standing === 'kept') {
      assert.equal(present, count, `acknowledged and lost: ${summary}`);
    } else if (standing === 'removed') {
      assert.equal(present, 0, `deleted and there: ${summary}`);
    } else if (standing === 'sent') {
      assert.ok(present === 0 || present === count, `half stored: ${summary}`);
      upload.standing = present === 0 ? 'removed' : 'kept';
    }
  }
  assert.equal(numbers.size, expected, 'readings that no one has sent');
}

async function pagedReadings(data: DataClient): Promise<number[]> {
  const numbers: number[] = [];
  for (let last = ''; ;) {
    const page = await data.tabularDataByFilter({ dataRequest: { limit: PAGE, last } });
    if (page.data.length === 0) {
      assert.equal(page.count, BigInt(numbers.length), 'the count of readings');
      return numbers;
    }
    numbers.push(...page.data.map((row) => getReadingNumber(row.data)));
    ({ last } = page);
  }
}

async function exportedReadings(data: DataClient, partId: string): Promise<number[]> {
  const numbers: number[] = [];
  for (const resourceName of [...LASTING, DOOMED]) {
    const source = { partId, resourceName, resourceSubtype: 'sensor', methodName: 'Readings' };
    for await (const { payload } of data.exportTabularData(source)) {
      numbers.push(getReadingNumber(payload));
    }
  }
  return sorted(numbers);
}

async function queriedReadings(data: DataClient, organizationId: string): Promise<number[]> {
  const sqlQuery = 'select cast(data.readings.n as integer) as n from readings order by n';
  const { rawData } = await data.tabularDataBySQL({ organizationId, sqlQuery });
  return rawData.map((row) => (deserialize(row) as { n: number }).n);
}

function getReadingNumber(payload: unknown): number {
  return (payload as { readings: { n: number } }).readings.n;
}

function sorted(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

async function checkItems(
  service: RunningService,
  data: DataClient,
  uploads: ReadonlyMap<string, ItemUpload>,
): Promise<void> {
  const found = await listedItems(data);
  const byName = new Map(found.map((item) => [item.metadata?.fileName ?? '', item]));
  assert.equal(byName.size, found.length, 'an item is there twice');
  for (const upload of uploads.values()) {
    const { name, id, standing } = upload;
    const item = byName.get(name);
    if (standing === 'kept') {
      assert.ok(item, `acknowledged and lost: ${name}`);
      assert.equal(item.metadata?.binaryDataId, id);
    } else if (standing === 'removed') {
      assert.equal(item, undefined, `deleted and there: ${name}`);
    } else {
      upload.standing = item === undefined ? 'removed' : 'kept';
      upload.id = item?.metadata?.binaryDataId;
    }
  }
  for (const item of found) {
    await checkContent(service, item);
  }
}

async function listedItems(data: DataClient): Promise<BinaryData[]> {
  const items: BinaryData[] = [];
  for (let last = ''; ;) {
    const page = await data.binaryDataByFilter({ dataRequest: { limit: PAGE, last } });
    if (page.data.length === 0) {
      const bytes = items.reduce((sum, { metadata }) => sum + (metadata?.fileSizeBytes ?? 0n), 0n);
      assert.deepEqual([page.count, page.totalSizeBytes], [BigInt(items.length), bytes]);
      return items;
    }
    items.push(...page.data);
    ({ last } = page);
  }
}

/** Checks that an item is complete, with all its metadata. */
async function checkContent(
  { key, authorization }: RunningService,
  { metadata }: BinaryData,
): Promise<void> {
  const { fileName = '', binaryDataId = '', captureMetadata } = metadata ?? {};
  assert.deepEqual(captureMetadata?.tags, ['mixed'], `the tags of ${fileName}`);
  const url = `${key.url}/binary-data/${binaryDataId}`;
  const answer = await fetch(url, { headers: { authorization } });
  assert.equal(answer.status, 200, `the content of ${fileName}`);
  const expected = createContent(fileName, isStreamed(fileName));
  assert.equal(sha256(await answer.bytes()), sha256(expected), `the content of ${fileName}`);
}
