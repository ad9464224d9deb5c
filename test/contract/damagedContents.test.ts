import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Client, Code, createClient } from '@connectrpc/connect';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import { signedInTransport } from '../../src/simulate/fleet/fleetMachines';
import { CapturingPart } from '../support/capturingPart';
import { type HttpFleet, openHttpFleet } from '../support/httpFleet';
import { RecordingLogger } from '../support/recordingLogger';
import { assertRejected } from './fleetFixture';

const MEBIBYTE = 1024 * 1024;
const TIMEOUT_MS = 120_000;

describe('damaged contents', function () {
  this.timeout(TIMEOUT_MS);
  let logger: RecordingLogger;
  let fleet: HttpFleet;
  let part: CapturingPart;
  let data: Client<typeof DataService>;
  let headers: Record<string, string>;

  beforeEach(async () => {
    logger = new RecordingLogger();
    fleet = await openHttpFleet(() => false, logger);
    part = await CapturingPart.create(fleet, fleet.session.stores);
    const { id: entity, secret: payload } = fleet.key;
    data = createClient(
      DataService,
      await signedInTransport((interceptors) => fleet.wire(interceptors), {
        type: 'api-key',
        entity,
        payload,
      }),
    );
    headers = { key_id: entity, key: payload };
  });
  afterEach(() => fleet.close());

  const toBlobPath = (bytes: Uint8Array): string => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    return join(fleet.blobsDir, hash.slice(0, 2), hash.slice(2));
  };
  const overwrite = async (bytes: Uint8Array): Promise<void> => {
    const changed = Buffer.from(await readFile(toBlobPath(bytes)));
    changed.writeUInt8(changed.readUInt8(0) ^ 1, 0);
    await writeFile(toBlobPath(bytes), changed);
    await utimes(toBlobPath(bytes), 1, 1);
  };
  const url = (id: string): string => `${fleet.url}/binary-data/${id}`;
  const read = (...binaryDataIds: string[]) =>
    data.binaryDataByIDs({ binaryDataIds, includeBinary: true });
  const loggedIds = (): unknown[] =>
    logger.lines
      .filter(({ message }) => message === 'a file is damaged')
      .map(({ fields }) => fields.id);

  it('are rejected with DataLoss in calls, and logged once', async () => {
    const contents = [randomBytes(100), randomBytes(100), randomBytes(100)] as const;
    const ids = [];
    for (const bytes of contents) ids.push(await part.capture({ bytes }));
    const [overwritten = '', truncated = '', missing = ''] = ids;
    await overwrite(contents[0]);
    await truncate(toBlobPath(contents[1]), 40);
    await rm(toBlobPath(contents[2]));

    for (let reads = 0; reads < 2; reads += 1) {
      await assertRejected(
        read(overwritten),
        Code.DataLoss,
        /"\S+" is damaged .*bytes were changed/,
      );
      await assertRejected(read(truncated), Code.DataLoss, /it has 40 bytes instead of 100/);
      await assertRejected(read(missing), Code.DataLoss, /its file is missing; restore it/);
      await assertRejected(read(...ids), Code.DataLoss, /damaged/);
    }
    assert.deepEqual(loggedIds(), ids);
    const text = JSON.stringify(logger.lines);
    for (const bytes of contents) assert.ok(!text.includes(bytes.toString('base64')));
  });

  it('do not affect the contents of other items', async () => {
    const contents = [randomBytes(100), randomBytes(100), randomBytes(100)] as const;
    const ids = [];
    for (const [second, bytes] of contents.entries()) {
      ids.push(await part.capture({ second, bytes }));
    }
    await rm(toBlobPath(contents[0]));
    await overwrite(contents[2]);

    const request = { dataRequest: { sortOrder: 1 }, includeBinary: true };
    const pages = [await data.binaryDataByFilter(request), await read(...ids)];
    for (const { data: items, count } of pages) {
      assert.equal(count, 3n);
      const found = new Map(items.map(({ metadata, binary }) => [metadata?.binaryDataId, binary]));
      assert.deepEqual([...found.keys()].sort(), [...ids].sort());
      const received: Buffer[] = ids.map((id) => Buffer.from(found.get(id) ?? []));
      assert.deepEqual(received, [Buffer.of(), contents[1], Buffer.of()]);
      assert.ok(items.every(({ metadata }) => metadata?.fileSizeBytes === 100n));
    }
    assert.deepEqual([...loggedIds()].sort(), [ids[0], ids[2]].sort());
  });

  it('are not mistaken for complete ones over HTTP/1.1', async () => {
    const bytes = randomBytes(3 * MEBIBYTE);
    const id = await part.capture({ bytes });
    await overwrite(bytes);
    const cut = await fetch(url(id), { headers });
    assert.equal(cut.status, 200);
    await assert.rejects(cut.arrayBuffer());
    // By this point, the service has detected the wrong digest.
    for (const more of [{}, { range: 'bytes=5-9' }]) {
      const response = await fetch(url(id), { headers: { ...headers, ...more } });
      assert.equal(response.status, 500);
      assert.equal(response.headers.get('fleetwright-error'), 'data_loss');
      assert.match(await response.text(), /damaged/);
    }
    assert.deepEqual(loggedIds(), [id]);
  });

  it('are not mistaken for complete ones over HTTP/2', async () => {
    const bytes = randomBytes(3 * MEBIBYTE);
    const id = await part.capture({ bytes });
    await overwrite(bytes);
    const session = connect(fleet.url);
    try {
      const stream = session.request({ ':path': `/binary-data/${id}`, ...headers });
      await assert.rejects(buffer(stream), { code: 'ERR_HTTP2_STREAM_ERROR' });
    } finally {
      session.destroy();
    }
  });

  it('are rejected before the first byte over HTTP if their size is wrong', async () => {
    const contents = [randomBytes(100), randomBytes(100)] as const;
    const ids = [];
    for (const bytes of contents) ids.push(await part.capture({ bytes }));
    await truncate(toBlobPath(contents[0]), 40);
    await rm(toBlobPath(contents[1]));
    for (const id of ids) {
      for (const [method, more] of [
        ['GET', {}],
        ['HEAD', {}],
        ['GET', { range: 'bytes=0-1' }],
      ] as const) {
        const { status } = await fetch(url(id), { method, headers: { ...headers, ...more } });
        assert.equal(status, 500, `${method} ${id}`);
      }
    }
    assert.deepEqual(loggedIds(), ids);
  });

  it('are checked before a range of them is sent', async () => {
    const bytes = randomBytes(3 * MEBIBYTE);
    const id = await part.capture({ bytes });
    const range = { ...headers, range: 'bytes=-3' };
    const sound = await fetch(url(id), { headers: range });
    assert.equal(sound.status, 206);
    assert.deepEqual(Buffer.from(await sound.arrayBuffer()), bytes.subarray(-3));
    await overwrite(bytes);
    const response = await fetch(url(id), { headers: range });
    assert.equal(response.status, 500);
    assert.match(await response.text(), /its bytes were changed/);
  });

  it('are reported to the editor as damaged', async () => {
    const contents = [randomBytes(100), randomBytes(6 * MEBIBYTE)] as const;
    for (const [second, bytes] of contents.entries()) await part.capture({ second, bytes });
    await Promise.all(contents.map(overwrite));
    const { binaryData } = fleet.session.stores;
    for (const item of await part.items()) {
      const readAll = async (): Promise<void> => {
        const { chunks } = await binaryData.content(item);
        for await (const chunk of chunks) assert.ok(chunk.length > 0);
      };
      // On the first attempt, the download of a large item is aborted when its digest turns out to
      // be wrong.
      await assert.rejects(readAll());
      await assert.rejects(readAll(), { name: 'FleetError', kind: 'damaged' });
    }
  });
});
