import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentRequest, ContentStream } from '../../../../../src/core/api/contentStream';
import { FleetError } from '../../../../../src/core/api/errors';
import { clientsOver } from '../../../../../src/core/api/fleetClients';
import { contentName } from '../../../../../src/core/data/download/contentName';
import { downloadContents } from '../../../../../src/core/data/download/downloadContents';
import type { BinaryItem } from '../../../../../src/core/model/binaryItem';
import { binaryDataId } from '../../../../../src/core/model/ids';
import type { FleetStores } from '../../../../../src/core/stores/fleetStores';
import { BinaryDataStore } from '../../../../../src/core/stores/binaryDataStore';
import { DownloadFolder } from '../../../../../src/host/platform/downloadFolder';
import { CapturingPart } from '../../../../support/capturingPart';
import { type MemoryFleet, openMemoryFleet } from '../../../../support/memoryFleet';
import { TestSessions } from '../../../../support/testSessions';

const LARGE = 1_000_000_000;

describe('downloading contents', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let part: CapturingPart;
  let path: string;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    part = await CapturingPart.create(fleet, stores);
    path = mkdtempSync(join(tmpdir(), 'fleetwright-download-'));
  });

  afterEach(async () => {
    rmSync(path, { recursive: true });
    sessions.dispose();
    await fleet.close();
  });

  async function download(
    items: readonly BinaryItem[],
    store = stores.binaryData,
    signal = new AbortController().signal,
  ): Promise<readonly string[]> {
    const folder = await DownloadFolder.at(path);
    return (await downloadContents(store, items, { folder, signal })).map(({ state }) => state);
  }

  const read = (item: BinaryItem): string => readFileSync(join(path, contentName(item)), 'utf8');

  it('writes each content to a file of its own, and reads nothing twice', async () => {
    await part.capture({ second: 1, bytes: Buffer.from('one') });
    await part.capture({ second: 2, bytes: Buffer.from('two') });
    const items = await part.items();
    assert.deepEqual(await download(items), ['done', 'done']);
    assert.deepEqual(items.map(read), ['one', 'two']);
    assert.equal(readdirSync(path).length, 2);
    fleet.calls.clear();
    assert.deepEqual(await download(items), ['done', 'done']);
    assert.equal(fleet.calls.get('BinaryDataByIDs'), undefined);
  });

  it('goes on with the others when one is gone', async () => {
    const ids = await part.captureMany(3);
    const items = await part.items();
    await stores.binaryData.delete(ids.slice(1, 2));
    assert.deepEqual(await download(items), ['done', 'failed', 'done']);
    assert.equal(readdirSync(path).length, 2);
  });

  it('goes on where it was cut off, as long as the content is the same', async () => {
    await part.capture();
    const [first] = await part.items();
    const item = { ...(first ?? assert.fail()), sizeBytes: LARGE, uri: 'http://localhost/' };
    const asked: (number | undefined)[] = [];
    const answers: ((request: ContentRequest) => ContentStream)[] = [
      () => stream(0, '"a"', breaking('012')),
      ({ from }) => stream(from?.start ?? 0, '"a"', breaking('34')),
      () => stream(0, '"b"', pieces('ABCDE', 'FGHIJ')),
    ];
    const store = new BinaryDataStore(clientsOver(fleet.wire()), () => (_, request) => {
      asked.push(request.from?.start);
      return Promise.resolve(answers.shift()?.(request) ?? assert.fail('asked once more'));
    });
    assert.deepEqual(await download([item], store), ['failed']);
    assert.deepEqual(await download([item], store), ['failed']);
    assert.deepEqual(await download([item], store), ['done']);
    assert.deepEqual(asked, [undefined, 3, 5]);
    assert.equal(read(item), 'ABCDEFGHIJ');
    assert.equal(readdirSync(path).length, 1);
    store.dispose();
  });

  it('leaves nothing of a content that no later try can go on with', async () => {
    await part.capture();
    const [first] = await part.items();
    const item = { ...(first ?? assert.fail()), sizeBytes: LARGE, uri: 'http://localhost/' };
    const store = new BinaryDataStore(clientsOver(fleet.wire()), () => () => {
      return Promise.resolve(stream(0, undefined, pieces('012')));
    });
    assert.deepEqual(await download([item], store), ['failed']);
    assert.deepEqual(readdirSync(path), []);
    store.dispose();
  });

  it('begins nothing once the person has left', async () => {
    await part.captureMany(2);
    const leaving = AbortSignal.abort();
    const states = await download(await part.items(), stores.binaryData, leaving);
    assert.deepEqual(states, ['notStarted', 'notStarted']);
    assert.deepEqual(readdirSync(path), []);
  });

  it('names files so that none leaves the folder, misleads or stands for another', async () => {
    await part.capture({ second: 1.25 });
    const [plain] = await part.items();
    assert.ok(plain);
    assert.equal(contentName(plain), `19700101T000001.250000Z_cam_${plain.id}.jpg`);
    for (const fileName of [
      '../../etc/passwd',
      '\u202egpj',
      'a\nb',
      'CON',
      '.',
      'é'.repeat(500),
      '𝒳'.repeat(500),
    ]) {
      for (const fileExtension of ['.jpg', '/../x', '.sh\n', '.tar.gz', '.'.repeat(9)]) {
        const id = binaryDataId('o/l/../x y');
        const name = contentName({ ...plain, id, fileName, fileExtension });
        assert.match(name, /^19700101T[\p{L}\p{N} ._-]+_o_l_x_y(?:\.jpg|\.tar\.gz)?$/u);
        assert.ok(Buffer.byteLength(`${name}.version`) <= 255, name);
      }
    }
  });
});

function stream(
  start: number,
  version: string | undefined,
  chunks: AsyncIterable<Uint8Array>,
): ContentStream {
  return { start, size: 10, version, chunks };
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

async function* breaking(text: string): AsyncGenerator<Uint8Array> {
  yield* pieces(text);
  throw new FleetError('unavailable', 'The line went down.');
}
