import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { type Client, Code, ConnectError, createClient } from '@connectrpc/connect';
import { DataService } from '../../src/gen/viam/app/data/v1/data_pb';
import {
  DataSyncService,
  DataType,
  FileUploadRequestSchema,
} from '../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { AppService } from '../../src/gen/viam/app/v1/app_pb';
import { RunningService } from '../support/runningService';
import { ServiceProgram } from '../support/serviceProgram';
import { mountSmallDisk, type SmallDisk } from '../support/smallDisk';
import { waitUntil } from '../support/waitUntil';
import { assertRejected } from './fleetFixture';
import { checkFiles } from './kills/faults/checkFiles';
import { newPart } from './kills/faults/newPart';
import { uploadModule } from './packageFixture';

const DISK_MEBIBYTES = 40;
const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const TIMEOUT_MS = 120_000;
const MOVE = ['--hot-readings-days', '1'];

describe('the service with a full disk', function () {
  this.timeout(TIMEOUT_MS);
  let program: ServiceProgram;
  let disk: SmallDisk;
  let service: RunningService;
  let sync: Client<typeof DataSyncService>;
  let data: Client<typeof DataService>;
  let partId: string;

  beforeEach(async () => {
    program = await ServiceProgram.build();
    disk = await mountSmallDisk(DISK_MEBIBYTES);
    program.command = disk.command;
    service = await start();
    connect();
    partId = await newPart(service);
  });

  afterEach(async () => {
    await program[Symbol.asyncDispose]();
    await disk[Symbol.asyncDispose]();
  });

  const start = async (...options: string[]): Promise<RunningService> => {
    const run = program.serve('--data', join(disk.inside, 'data'), ...options);
    const credentialsFile = join(directory(), 'credentials.json');
    const ready = run.ready.then((line) => line && { ...line, credentialsFile });
    return RunningService.of({ ...run, ready });
  };

  const connect = (): void => {
    sync = createClient(DataSyncService, service.transport);
    data = createClient(DataService, service.transport);
  };

  const directory = (): string => join(disk.path, 'data');

  /** Fills the disk, as files of another program would. Returns a function that frees the space. */
  const takeRoom = (): (() => void) => {
    const path = join(disk.path, 'others');
    const file = openSync(path, 'w');
    try {
      for (const size of [MEBIBYTE, KIBIBYTE]) {
        assert.throws(() => {
          for (;;) writeSync(file, Buffer.alloc(size));
        }, /ENOSPC/);
      }
    } finally {
      closeSync(file);
    }
    return () => {
      rmSync(path);
    };
  };

  const capture = async (content: Uint8Array): Promise<string> => {
    const { binaryDataId } = await sync.dataCaptureUpload({
      metadata: { partId, type: DataType.BINARY_SENSOR, fileExtension: '.bin' },
      sensorContents: [{ data: { case: 'binary', value: content } }],
    });
    return binaryDataId;
  };

  const sendFile = async (size: number): Promise<string> => {
    async function* uploadRequests() {
      yield create(FileUploadRequestSchema, {
        uploadPacket: { case: 'metadata', value: { partId } },
      });
      for (let sent = 0; sent < size; sent += MEBIBYTE) {
        const value = { data: await Promise.resolve(randomBytes(MEBIBYTE)) };
        yield create(FileUploadRequestSchema, { uploadPacket: { case: 'fileContents', value } });
      }
    }
    return (await sync.fileUpload(uploadRequests())).binaryDataId;
  };

  const sendReadings = async (count: number): Promise<void> => {
    await sync.dataCaptureUpload({
      metadata: {
        partId,
        type: DataType.TABULAR_SENSOR,
        componentType: 'sensor',
        componentName: 'climate',
        methodName: 'Readings',
      },
      sensorContents: Array.from({ length: count }, () => ({
        data: { case: 'struct', value: { readings: { text: 'x'.repeat(KIBIBYTE) } } },
      })),
    });
  };

  /** Makes readings appear to have been stored ten days ago, in a process that can use the disk. */
  const makeOld = (): void => {
    const script = `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
      database.exec('update readings set synced_at = synced_at - 864000000000');
      database.close();`;
    const database = join(disk.inside, 'data', 'fleet.db');
    const [command, ...args] = [...disk.command, process.execPath, '-e', script, database];
    execFileSync(command, args, { stdio: 'ignore' });
  };

  const counts = async (): Promise<[bigint, bigint]> => {
    const items = await data.binaryDataByFilter({ countOnly: true });
    const readings = await data.tabularDataByFilter({});
    return [items.count, readings.count];
  };

  const rows = async (): Promise<number> => {
    const { organizationId } = service.key;
    const sqlQuery = 'select component_name from readings';
    return (await data.tabularDataBySQL({ organizationId, sqlQuery })).rawData.length;
  };

  it('rejects uploads, reads existing data, and continues after space was freed', async () => {
    const content = randomBytes(MEBIBYTE);
    const id = await capture(content);
    await sendReadings(10);
    const freeRoom = takeRoom();

    await assertRejected(capture(randomBytes(MEBIBYTE)), Code.ResourceExhausted, /disk/);
    await assertRejected(sendFile(2 * MEBIBYTE), Code.ResourceExhausted, /disk/);
    await assertRejected(sendReadings(8000), Code.ResourceExhausted, /disk/);
    assert.deepEqual(await counts(), [1n, 10n]);
    const read = await data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true });
    assert.ok(content.equals(read.data[0]?.binary ?? Buffer.of()));
    await assertRejected(rows(), Code.ResourceExhausted, /disk/);

    freeRoom();
    await capture(randomBytes(MEBIBYTE));
    await sendFile(2 * MEBIBYTE);
    await sendReadings(5);
    assert.deepEqual(await counts(), [3n, 15n]);
    assert.equal(await rows(), 15);
    await service.stop();
    checkFiles(directory());
  });

  it('rejects archives of modules, and leaves no version of them', async () => {
    const app = createClient(AppService, service.transport);
    const { organizationId } = service.key;
    const { moduleId } = await app.createModule({ organizationId, name: 'wheels' });
    const send = (version: string) =>
      uploadModule({ app, moduleId }, { version }, [randomBytes(MEBIBYTE), randomBytes(MEBIBYTE)]);
    const versions = async (): Promise<string[]> =>
      ((await app.getModule({ moduleId })).module?.versions ?? []).map(({ version }) => version);
    await send('1.0.0');
    const freeRoom = takeRoom();
    await assertRejected(send('2.0.0'), Code.ResourceExhausted, /disk/);
    assert.deepEqual(await versions(), ['1.0.0']);
    freeRoom();
    await send('2.0.0');
    assert.deepEqual(await versions(), ['1.0.0', '2.0.0']);
    await service.stop();
    checkFiles(directory());
  });

  it('filled by uploads frees space by deleting some', async () => {
    const ids: string[] = [];
    for (const size of [2 * MEBIBYTE, 64 * KIBIBYTE]) {
      await assert.rejects(
        async () => {
          for (;;) ids.push(await capture(randomBytes(size)));
        },
        (error) => ConnectError.from(error).code === Code.ResourceExhausted,
      );
    }
    assert.deepEqual(await counts(), [BigInt(ids.length), 0n]);
    const binaryDataIds = ids.slice(0, 2);
    assert.equal((await data.deleteBinaryDataByIDs({ binaryDataIds })).deletedCount, 2n);
    await capture(randomBytes(2 * MEBIBYTE));
    await service.stop();
    checkFiles(directory());
  });

  it('filled by contents, readings, and machines recovers by deleting, also after a restart', async () => {
    const app = createClient(AppService, service.transport);
    const { organizationId } = service.key;
    const { location } = await app.createLocation({ organizationId, name: 'Hall' });
    const locationId = location?.id ?? '';
    const ids: string[] = [];
    const fills = [
      async () => ids.push(await capture(randomBytes(2 * MEBIBYTE))),
      () => sendReadings(1000),
      () => sendReadings(10),
      () => app.newRobot({ name: randomBytes(16).toString('hex'), location: locationId }),
    ];
    for (const fill of fills) {
      await assert.rejects(
        async () => {
          for (;;) await fill();
        },
        (error) => ConnectError.from(error).code === Code.ResourceExhausted,
      );
    }
    await service.stop();
    service = await start();
    connect();
    await assertRejected(sendReadings(1), Code.ResourceExhausted, /delete data/);
    assert.equal(
      (await data.deleteBinaryDataByIDs({ binaryDataIds: ids.slice(0, 2) })).deletedCount,
      2n,
    );
    await data.deleteTabularData({ organizationId, deleteOlderThanDays: 0 });
    await data.deleteBinaryDataByIDs({ binaryDataIds: ids.slice(2) });
    assert.deepEqual(await counts(), [0n, 0n]);
    await capture(randomBytes(MEBIBYTE));
    await sendReadings(5);
    assert.equal(await rows(), 5);
    await service.stop();
    checkFiles(directory());
  });

  it('filled by another program recovers by deleting', async () => {
    const ids = await Promise.all([capture(randomBytes(MEBIBYTE)), capture(randomBytes(MEBIBYTE))]);
    await sendReadings(10);
    const { organizationId } = service.key;
    takeRoom();
    await assertRejected(sendReadings(1), Code.ResourceExhausted, /delete data/);
    const { deletedCount } = await data.deleteBinaryDataByIDs({ binaryDataIds: ids });
    assert.equal(deletedCount, 2n);
    await data.deleteTabularData({ organizationId, deleteOlderThanDays: 0 });
    assert.deepEqual(await counts(), [0n, 0n]);
    await service.stop();
    checkFiles(directory());
  });

  it('filled by another program recovers by deleting after a restart', async () => {
    const id = await capture(randomBytes(MEBIBYTE));
    await service.stop();
    const freeRoom = takeRoom();
    service = await start();
    connect();
    const { deletedCount } = await data.deleteBinaryDataByIDs({ binaryDataIds: [id] });
    assert.equal(deletedCount, 1n);
    freeRoom();
    // The reserve is restored when there is enough space again.
    await capture(randomBytes(MEBIBYTE));
    takeRoom();
    await data.deleteTabularData({
      organizationId: service.key.organizationId,
      deleteOlderThanDays: 0,
    });
    await service.stop();
    checkFiles(directory());
  });

  it('retains old readings in the database, and moves them after space was freed', async () => {
    await sendReadings(500);
    await service.stop();
    makeOld();
    const freeRoom = takeRoom();
    service = await start(...MOVE);
    connect();
    await waitUntil(() => service.run.readStderr().includes('old readings could not be moved'));
    assert.deepEqual(await counts(), [0n, 500n]);
    freeRoom();
    await service.stop();
    service = await start(...MOVE);
    connect();
    const blobs = join(directory(), 'blobs');
    await waitUntil(() => readdirSync(blobs).some((name) => name !== 'incoming'));
    assert.equal(await rows(), 500);
    assert.deepEqual(await counts(), [0n, 500n]);
    await service.stop();
    checkFiles(directory());
  });

  it('without any space reports what to free before the service starts', async () => {
    await service.stop();
    // A directory of this name isn't the reserve file.
    rmSync(join(directory(), 'disk.reserve'), { force: true });
    mkdirSync(join(directory(), 'disk.reserve'));
    const freeRoom = takeRoom();
    const run = program.serve('--data', join(disk.inside, 'data'));
    const { exitCode, stderr } = await run.ended;
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr.trimEnd().split('\n').at(-1) ?? '', /is full: free 8 MiB on it/);
    freeRoom();
    service = await start();
    await service.stop();
  });
});
