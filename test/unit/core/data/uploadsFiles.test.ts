import assert from 'node:assert/strict';
import { FleetError, isCanceled } from '../../../../src/core/api/errors';
import { everyCapture } from '../../../../src/core/model/captureFilter';
import { partId } from '../../../../src/core/model/ids';
import type { FileUpload } from '../../../../src/core/stores/uploadStore';
import { waitUntil } from '../../../support/waitUntil';
import { inMemory, overGrpc, type UploadsFleet } from './uploadsFleet';

const MEBIBYTE = 1024 * 1024;

for (const [wire, open] of [
  ['in memory', inMemory],
  ['over gRPC', overGrpc],
] as const) {
  describe(`uploading files ${wire}`, () => {
    let fleet: UploadsFleet;

    beforeEach(async () => {
      fleet = await open();
    });

    afterEach(() => fleet.close());

    function upload(bytes: Iterable<Uint8Array>, changed: Partial<FileUpload> = {}): FileUpload {
      return {
        origin: { partId: fleet.part, componentName: '', componentType: '', method: '' },
        path: 'photo.jpg',
        tags: [],
        datasets: [],
        async *read() {
          for (const chunk of bytes) yield await Promise.resolve(chunk);
        },
        ...changed,
      };
    }

    const stored = async (): Promise<number> =>
      (await fleet.stores.binaryData.count(everyCapture)).count;

    it('stores the bytes with the metadata of the file', async () => {
      const { stores, organization, part } = fleet;
      const dataset = await stores.datasets.create(organization, 'Bolts');
      const bytes = Buffer.alloc(200_000, 'fleet');
      let sent = 0;
      const id = await stores.uploads.file(
        upload([bytes], {
          origin: {
            partId: part,
            componentName: 'cam',
            componentType: 'rdk:component:camera',
            method: 'GetImages',
          },
          path: 'shots/my.photo.jpg',
          tags: ['rust'],
          datasets: [dataset],
          createdAt: 1_700_000_000_123_456,
          modifiedAt: 1_700_000_001_000_000,
        }),
        { onSent: (count) => (sent += count) },
      );
      assert.equal(sent, bytes.length);
      const [item] = await stores.binaryData.get([id]);
      assert.equal(item?.fileName, 'my.photo');
      assert.equal(item.fileExtension, '.jpg');
      assert.equal(item.sizeBytes, bytes.length);
      assert.equal(item.source.partId, part);
      assert.equal(item.source.componentName, 'cam');
      assert.equal(item.at, 1_700_000_000_123_456);
      assert.deepEqual(item.datasetIds, [dataset]);
      assert.ok(item.tags.includes('rust'));
      const [content] = await stores.binaryData.contents([id]);
      assert.deepEqual(Buffer.from(content?.bytes ?? []), bytes);
    });

    it('stores an empty file', async () => {
      const id = await fleet.stores.uploads.file(upload([], { path: 'empty.txt' }));
      const [item] = await fleet.stores.binaryData.get([id]);
      assert.equal(item?.sizeBytes, 0);
    });

    it('leaves nothing when it is aborted, and stops reading', async () => {
      const controller = new AbortController();
      let ended = false;
      async function* read(signal: AbortSignal) {
        try {
          for (;;) {
            signal.throwIfAborted();
            await yieldToEventLoop();
            yield Buffer.alloc(MEBIBYTE);
          }
        } finally {
          ended = true;
        }
      }
      let sent = 0;
      const options = {
        signal: controller.signal,
        onSent: (bytes: number) => {
          sent += bytes;
          if (sent > 3 * MEBIBYTE) controller.abort();
        },
      };
      await assert.rejects(fleet.stores.uploads.file(upload([], { read }), options), isCanceled);
      await waitUntil(() => ended);
      assert.equal(await stored(), 0);
    });

    it('reports why the file could not be read, and leaves nothing', async () => {
      const failure = new FleetError('conflict', 'The file changed while it was read.');
      async function* read() {
        yield await Promise.resolve(Buffer.alloc(MEBIBYTE));
        throw failure;
      }
      await assert.rejects(
        fleet.stores.uploads.file(upload([], { read })),
        (error) => error === failure,
      );
      assert.equal(await stored(), 0);
    });

    // Only over a real connection does a rejection reach a client that is still sending.
    if (wire === 'over gRPC') {
      it('reports a rejection while the content is still being sent', async () => {
        let ended = false;
        const nobody = {
          partId: partId('01234567-89ab-4cde-8f01-23456789abcd'),
          componentName: '',
          componentType: '',
          method: '',
        };
        async function* read(signal: AbortSignal) {
          try {
            for (let count = 0; count < 64 && !signal.aborted; count += 1) {
              await yieldToEventLoop();
              yield Buffer.alloc(MEBIBYTE);
            }
          } finally {
            ended = true;
          }
        }
        await assert.rejects(
          fleet.stores.uploads.file(upload([], { origin: nobody, read })),
          (error) => error instanceof FleetError && error.kind === 'notFound',
        );
        await waitUntil(() => ended);
      });
    }

    it('preserves names with any characters', async () => {
      const names = ['<b onclick=x>.txt', 'a\nb.txt', '\u202egpj.exe', `${'n'.repeat(900)}.bin`];
      for (const path of names) {
        const id = await fleet.stores.uploads.file(upload([Buffer.from('x')], { path }));
        const [item] = await fleet.stores.binaryData.get([id]);
        assert.equal(`${item?.fileName ?? ''}${item?.fileExtension ?? ''}`, path);
      }
      await assert.rejects(
        fleet.stores.uploads.file(upload([Buffer.from('x')], { path: 'n'.repeat(10_000) })),
        (error) => error instanceof FleetError && error.kind === 'invalid',
      );
    });

    it('stores all readings of one call or none', async () => {
      const { stores, part } = fleet;
      const origin = {
        partId: part,
        componentName: 'probe',
        componentType: 'sensor',
        method: 'Readings',
      };
      await stores.uploads.readings(
        origin,
        ['dry'],
        [
          { at: 1_700_000_000_000_001, data: { readings: { celsius: 21.5, ok: true } } },
          { at: 1_700_000_000_000_002, data: { readings: { note: '<b>' } } },
        ],
      );
      const page = await stores.readings.page({
        filter: everyCapture,
        order: 'oldestFirst',
        limit: 10,
      });
      assert.deepEqual(
        page.readings.map(({ at, data, tags }) => ({ at, data, tags })),
        [
          {
            at: 1_700_000_000_000_001,
            tags: ['dry'],
            data: { readings: { celsius: 21.5, ok: true } },
          },
          { at: 1_700_000_000_000_002, tags: ['dry'], data: { readings: { note: '<b>' } } },
        ],
      );
    });
  });
}

/** Yields to other tasks of the event loop. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
