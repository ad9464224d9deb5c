import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { AnySchema, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { DataType, MimeType } from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import type { BinaryData } from '../../../src/gen/viam/app/data/v1/data_pb';
import { signInAsPart } from '../deployment';
import { capture, createDataClients, dataClientsWithRole, type Lab, newLab } from '../dataFixture';
import { assertRejected, type FleetUnderTest } from '../fleetFixture';
import { FIRST_TIME, LAST_TIME, NO_TIMES } from '../wireTimes';

const ABSENT = '00000000-0000-4000-8000-000000000000';

export function dataUploadContract(fleet: FleetUnderTest): void {
  describe('uploads of binary data', () => {
    const item = async (lab: Lab, id: string): Promise<BinaryData> => {
      const { data } = await lab.data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true });
      assert.ok(data[0]);
      return data[0];
    };
    const count = async (lab: Lab): Promise<bigint> =>
      (await lab.data.binaryDataByFilter({ countOnly: true })).count;
    async function* streamFile(lab: Lab, chunks: readonly Uint8Array[], metadata = {}) {
      yield {
        uploadPacket: {
          case: 'metadata' as const,
          value: { partId: lab.part.id, type: DataType.FILE, ...metadata },
        },
      };
      for (const data of chunks) {
        yield await Promise.resolve({
          uploadPacket: { case: 'fileContents' as const, value: { data } },
        });
      }
    }

    it('preserve all metadata, and what captured them', async () => {
      const lab = await newLab(fleet(), 'rover');
      const methodParameters = {
        angle: create(AnySchema, { typeUrl: 'type.example.com/a', value: Uint8Array.of(8, 1) }),
      };
      const id = await capture(
        lab,
        10,
        { binary: Buffer.from('pixels'), tags: ['b', 'a', 'a'], methodParameters },
        {
          timeRequested: timestampFromMs(10_000),
          timeReceived: timestampFromMs(10_250),
          annotations: {
            bboxes: [
              { label: 'cup', xMinNormalized: 0, yMaxNormalized: 1, confidence: 0.5 },
              { label: 'box', xMaxNormalized: 0.25 },
            ],
            classifications: [{ label: 'tidy', confidence: 0.75 }],
          },
        },
      );
      const { binary, metadata } = await item(lab, id);
      assert.equal(Buffer.from(binary).toString(), 'pixels');
      assert.ok(metadata);
      assert.equal(metadata.binaryDataId, id);
      assert.equal(metadata.fileSizeBytes, 6n);
      assert.equal(metadata.fileExt, '.jpg');
      assert.deepEqual(metadata.timeRequested, timestampFromMs(10_000));
      assert.deepEqual(metadata.timeReceived, timestampFromMs(10_250));
      assert.deepEqual(
        metadata.annotations?.bboxes.map((box) => [
          box.label,
          box.xMaxNormalized,
          box.yMaxNormalized,
          box.confidence,
        ]),
        [
          ['box', 0.25, 0, undefined],
          ['cup', 0, 1, 0.5],
        ],
      );
      assert.deepEqual(
        metadata.annotations.classifications.map(({ label, confidence }) => [label, confidence]),
        [['tidy', 0.75]],
      );
      const captured = metadata.captureMetadata;
      assert.ok(captured);
      assert.deepEqual(
        [captured.organizationId, captured.locationId, captured.robotId, captured.partId],
        [lab.organizationId, lab.locationId, lab.machineId, lab.part.id],
      );
      assert.deepEqual([captured.robotName, captured.partName], ['rover', lab.part.name]);
      assert.deepEqual(
        [captured.componentType, captured.componentName, captured.methodName],
        ['rdk:component:camera', 'cam', 'ReadImage'],
      );
      assert.deepEqual(captured.tags, ['a', 'b']);
      assert.equal(captured.mimeType, 'image/jpeg');
      assert.deepEqual(captured.methodParameters, methodParameters);
    });

    it('get their type from the extension unless they name one', async () => {
      const lab = await newLab(fleet());
      const typeOf = async (metadata: object, sensor = {}): Promise<string[]> => {
        const { metadata: stored } = await item(lab, await capture(lab, 1, metadata, sensor));
        return [stored?.fileExt ?? '', stored?.captureMetadata?.mimeType ?? ''];
      };
      assert.deepEqual(await typeOf({ fileExtension: '.PNG' }), ['.PNG', 'image/png']);
      assert.deepEqual(await typeOf({ fileExtension: 'pcd' }), ['.pcd', 'pointcloud/pcd']);
      assert.deepEqual(await typeOf({ fileExtension: '.odd' }), [
        '.odd',
        'application/octet-stream',
      ]);
      assert.deepEqual(await typeOf({ fileExtension: '.jpg', mimeType: 'image/heic' }), [
        '.jpg',
        'image/heic',
      ]);
      assert.deepEqual(await typeOf({ fileExtension: '' }, { mimeType: MimeType.IMAGE_PNG }), [
        '.png',
        'image/png',
      ]);
      assert.deepEqual(await typeOf({ fileExtension: '', fileName: 'a.txt' }), ['', 'text/plain']);
    });

    it('require exactly one content that matches the type, and leave nothing if rejected', async () => {
      const lab = await newLab(fleet());
      const binary = { data: { case: 'binary' as const, value: Buffer.from('x') } };
      const reading = { data: { case: 'struct' as const, value: { a: 1 } } };
      const upload = (sensorContents: object[], metadata: object = {}) =>
        lab.sync.dataCaptureUpload({
          metadata: { partId: lab.part.id, type: DataType.BINARY_SENSOR, ...metadata },
          sensorContents,
        });
      await assertRejected(upload([]), Code.InvalidArgument, /sensor_contents/);
      await assertRejected(upload([binary, binary]), Code.InvalidArgument, /exactly one/);
      await assertRejected(upload([reading]), Code.InvalidArgument, /exactly one/);
      await assertRejected(upload([{}]), Code.InvalidArgument);
      await assertRejected(upload([binary], { type: DataType.UNSPECIFIED }), Code.InvalidArgument);
      await assertRejected(upload([binary], { tags: [' '] }), Code.InvalidArgument, /^tags/);
      await assertRejected(
        upload([binary], { tags: [`SVC_DATASET_${ABSENT}`] }),
        Code.InvalidArgument,
        /dataset/,
      );
      await assertRejected(upload([binary], { partId: '' }), Code.InvalidArgument, /part_id/);
      await assertRejected(upload([binary], { partId: ABSENT }), Code.NotFound);
      await assertRejected(upload([binary], { datasetIds: [ABSENT] }), Code.NotFound, /^dataset/);
      const box = { ...binary, metadata: { annotations: { bboxes: [{ xMinNormalized: 1.01 }] } } };
      await assertRejected(upload([box]), Code.InvalidArgument, /from 0 to 1/);
      assert.equal(await count(lab), 0n);
    });

    it('of files accept chunks of any size and preserve the times of the file', async () => {
      const lab = await newLab(fleet());
      const chunks = [1, 70_000, 0, 3].map((size) => Buffer.alloc(size, size % 251));
      const { binaryDataId } = await lab.sync.fileUpload(
        streamFile(lab, chunks, {
          fileName: 'my.file.tar',
          fileExtension: '.gz',
          fileCreateTime: timestampFromMs(1000),
          fileModifyTime: timestampFromMs(2000),
        }),
      );
      const { binary, metadata } = await item(lab, binaryDataId);
      assert.deepEqual(Buffer.from(binary), Buffer.concat(chunks));
      assert.deepEqual([metadata?.fileName, metadata?.fileExt], ['my.file.tar', '.gz']);
      assert.equal(metadata?.captureMetadata?.mimeType, 'application/gzip');
      assert.deepEqual(metadata.timeRequested, timestampFromMs(1000));
      assert.deepEqual(metadata.timeReceived, timestampFromMs(2000));
      const empty = await lab.sync.fileUpload(streamFile(lab, []));
      assert.equal((await item(lab, empty.binaryDataId)).metadata?.fileSizeBytes, 0n);
    });

    it('reject invalid times and times that would not be preserved exactly', async () => {
      const lab = await newLab(fleet());
      const expectRejection = (call: Promise<unknown>, field: string, why: string) =>
        assertRejected(call, Code.InvalidArgument, new RegExp(`^${field}: .*${why}`));
      const upload = async (time: typeof FIRST_TIME, why: string): Promise<void> => {
        await expectRejection(capture(lab, 1, {}, { timeRequested: time }), 'time_requested', why);
        await expectRejection(capture(lab, 1, {}, { timeReceived: time }), 'time_received', why);
        for (const [name, field] of [
          ['fileCreateTime', 'file_create_time'],
          ['fileModifyTime', 'file_modify_time'],
        ] as const) {
          const metadata = { [name]: time };
          await expectRejection(capture(lab, 1, metadata), field, why);
          await expectRejection(lab.sync.fileUpload(streamFile(lab, [], metadata)), field, why);
        }
      };
      for (const time of NO_TIMES) await upload(time, 'years 1 to 9999');
      for (const time of [FIRST_TIME, LAST_TIME]) await upload(time, 'years 1685 to 2254');
      assert.equal(await count(lab), 0n);
      for (const year of ['1685-01-01T00:00:00.000Z', '2254-12-31T23:59:59.999Z']) {
        const time = timestampFromMs(Date.parse(year));
        const { metadata } = await item(lab, await capture(lab, 1, {}, { timeRequested: time }));
        assert.deepEqual(metadata?.timeRequested, time);
      }
    });

    it('of captures accept streams', async () => {
      const lab = await newLab(fleet());
      async function* streamCapture() {
        yield {
          uploadPacket: {
            case: 'metadata' as const,
            value: {
              uploadMetadata: { partId: lab.part.id, fileExtension: '.mp4', tags: ['film'] },
              sensorMetadata: { timeRequested: timestampFromMs(5000) },
            },
          },
        };
        for (const text of ['a', 'bc']) {
          yield await Promise.resolve({
            uploadPacket: { case: 'data' as const, value: Buffer.from(text) },
          });
        }
      }
      const { binaryDataId } = await lab.sync.streamingDataCaptureUpload(streamCapture());
      const { binary, metadata } = await item(lab, binaryDataId);
      assert.equal(Buffer.from(binary).toString(), 'abc');
      assert.equal(metadata?.captureMetadata?.mimeType, 'video/mp4');
      assert.deepEqual(metadata.captureMetadata.tags, ['film']);
      assert.deepEqual(metadata.timeRequested, timestampFromMs(5000));
    });

    it('leave nothing if their stream is incomplete', async () => {
      const lab = await newLab(fleet());
      const data = { uploadPacket: { case: 'fileContents' as const, value: {} } };
      const info = {
        uploadPacket: { case: 'metadata' as const, value: { partId: lab.part.id } },
      };
      const stream = (...messages: (typeof data | typeof info)[]) =>
        lab.sync.fileUpload(
          (async function* () {
            yield* await Promise.resolve(messages);
          })(),
        );
      await assertRejected(stream(), Code.InvalidArgument, /first message/);
      await assertRejected(stream(data), Code.InvalidArgument, /first message/);
      await assertRejected(stream(info, info), Code.InvalidArgument, /first message/);
      await assertRejected(
        lab.sync.fileUpload(streamFile(lab, [], { partId: '' })),
        Code.InvalidArgument,
        /^part_id/,
      );
      await assertRejected(
        lab.sync.fileUpload(streamFile(lab, [Buffer.from('x')], { partId: ABSENT })),
        Code.NotFound,
      );
      async function* cut() {
        yield* streamFile(lab, [Buffer.alloc(100_000)]);
        throw new Error('the client disconnects');
      }
      await assert.rejects(lab.sync.fileUpload(cut()));
      assert.equal(await count(lab), 0n);
    });

    it('are allowed for owners and for the machine itself, not for operators or other machines', async () => {
      const lab = await newLab(fleet());
      const other = await newLab(fleet());
      const accessToken = await signInAsPart(fleet().deployment, lab.part);
      const machine = createDataClients(fleet(), accessToken);
      const id = await capture({ ...machine, part: lab.part }, 1);
      assert.equal((await item(lab, id)).metadata?.captureMetadata?.partId, lab.part.id);
      const file = await machine.sync.fileUpload(streamFile(lab, [Buffer.from('x')]));
      assert.ok(file.binaryDataId);
      const robotOwner = await dataClientsWithRole(fleet(), 'robot_owner', lab.machineId);
      await capture({ ...robotOwner, part: lab.part }, 1);

      const operator = await dataClientsWithRole(
        fleet(),
        'organization_operator',
        lab.organizationId,
      );
      await assertRejected(capture({ ...operator, part: lab.part }, 1), Code.PermissionDenied);
      await assertRejected(operator.sync.fileUpload(streamFile(lab, [])), Code.PermissionDenied);
      await assertRejected(capture({ ...machine, part: other.part }, 1), Code.NotFound);
      await assertRejected(capture({ ...other, part: lab.part }, 1), Code.NotFound);
      assert.equal(await count(lab), 3n);
    });

    it('add the item to datasets of the organization', async () => {
      const lab = await newLab(fleet());
      const { id: datasetId } = await lab.datasets.createDataset({
        organizationId: lab.organizationId,
        name: 'cups',
      });
      const { metadata } = await item(
        lab,
        await capture(lab, 1, { datasetIds: [datasetId, datasetId], tags: ['a'] }),
      );
      assert.deepEqual(metadata?.datasetIds, [datasetId]);
      assert.deepEqual(metadata.captureMetadata?.tags, [`SVC_DATASET_${datasetId}`, 'a']);
      const other = await newLab(fleet());
      await assertRejected(
        capture(other, 1, { datasetIds: [datasetId] }),
        Code.NotFound,
        /^dataset/,
      );
    });
  });
}
