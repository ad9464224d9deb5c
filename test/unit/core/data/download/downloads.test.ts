import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DownloadFolder,
  FolderError,
} from '../../../../../src/core/data/download/fetchContent';
import { type DownloadOutcome, Downloads } from '../../../../../src/core/data/download/downloads';
import { NodeDownloadFolder } from '../../../../../src/host/platform/files/downloadFolder';
import { CapturingPart } from '../../../../support/capturingPart';
import { ResponseCutter } from '../../../../support/responseCutter';
import { type HttpFleet, openHttpFleet } from '../../../../support/httpFleet';

const MEBIBYTE = 1024 * 1024;
const large = Buffer.alloc(6 * MEBIBYTE, 'abcdefg');

describe('Downloads', function () {
  this.timeout(120_000);
  let fleet: HttpFleet;
  let part: CapturingPart;
  let path: string;
  let cuts: ResponseCutter;

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    cuts = new ResponseCutter();
    fleet = await openHttpFleet(cuts.interfere);
    part = await CapturingPart.create(fleet, fleet.session.stores);
  });
  afterEach(async () => {
    await fleet.close();
    await rm(path, { recursive: true });
  });

  const describeError = (code: string): string => `the folder says ${code}`;
  const open = (): Promise<NodeDownloadFolder> => NodeDownloadFolder.open(path, describeError);
  const download = async (
    folder?: DownloadFolder,
    signal = new AbortController().signal,
  ): Promise<{ outcomes: readonly DownloadOutcome[]; downloads: Downloads }> => {
    const downloads = new Downloads({
      store: fleet.session.stores.binaryData,
      folder: folder ?? (await open()),
      sleep: () => Promise.resolve(),
      random: () => 0,
      signal,
    });
    return { outcomes: await downloads.fetch(await part.items()), downloads };
  };
  const files = async (of: string): Promise<readonly string[]> =>
    (await readdir(join(path, of))).sort();
  const states = (outcomes: readonly DownloadOutcome[]): readonly string[] =>
    outcomes.map(({ state }) => state);

  it('stores contents and metadata next to each other', async () => {
    await part.capture({ bytes: large, tags: ['<b>'], fileName: 'big', fileExtension: '.bin' });
    await part.capture({ second: 1, bytes: Buffer.from('small') });
    const { outcomes } = await download();
    assert.deepEqual(states(outcomes), ['done', 'done']);
    const names = ['19700101T000001.000000Z_cam.jpg', 'big.bin'];
    assert.deepEqual(await files('data'), names);
    assert.deepEqual(
      await files('metadata'),
      names.map((name) => `${name}.json`),
    );
    assert.ok(large.equals(await readFile(join(path, 'data/big.bin'))));
    const known = JSON.parse(await readFile(join(path, 'metadata/big.bin.json'), 'utf8')) as object;
    assert.deepEqual((known as { tags: string[] }).tags, ['<b>']);
  });

  it('stores items with equal names in different files, and in the same ones the next time', async () => {
    for (const second of [0, 1, 2]) {
      const fileName = ['photo', 'PHOTO', 'photo'][second] ?? '';
      await part.capture({ second, bytes: Buffer.from(`${second}`), fileName });
    }
    const first = await download();
    const names = first.outcomes.map(({ name }) => name);
    assert.equal(new Set(names.map((name) => name?.toLowerCase())).size, 3);
    const again = await download();
    assert.deepEqual(
      again.outcomes.map(({ name }) => name),
      names,
    );
    assert.equal((await files('data')).length, 3);
  });

  it('never overwrites another file', async () => {
    await part.capture({ bytes: Buffer.from('theirs'), fileName: 'mine', fileExtension: '.txt' });
    await mkdir(join(path, 'data'));
    await writeFile(join(path, 'data/Mine.txt'), 'my own');
    const { outcomes } = await download();
    assert.match(outcomes[0]?.name ?? '', /^mine_[0-9a-f]{8}\.txt$/);
    assert.equal(await readFile(join(path, 'data/Mine.txt'), 'utf8'), 'my own');
    await writeFile(join(path, 'data', outcomes[0]?.name ?? ''), 'edited');
    await download();
    assert.equal(await readFile(join(path, 'data', outcomes[0]?.name ?? ''), 'utf8'), 'edited');
  });

  it('Downloads.fetch leaves no file for a damaged content', async () => {
    await part.capture({ bytes: large });
    const hash = createHash('sha256').update(large).digest('hex');
    const blob = join(fleet.blobsDir, hash.slice(0, 2), hash.slice(2));
    await writeFile(blob, Buffer.concat([Buffer.from('X'), large.subarray(1)]));
    const { outcomes } = await download();
    const [outcome] = outcomes;
    assert.ok(outcome?.state === 'failed');
    assert.equal(outcome.error.kind, 'damaged');
    assert.match(outcome.error.message, /bytes were changed.*restore it from a backup/);
    assert.deepEqual(await files('data'), []);
  });

  it('continues within a download after the connection was cut', async () => {
    await part.capture({ bytes: large });
    Object.assign(cuts, { after: 2 * MEBIBYTE, times: 2 });
    const { outcomes } = await download();
    assert.deepEqual(states(outcomes), ['done']);
    const [name = ''] = await files('data');
    assert.ok(large.equals(await readFile(join(path, 'data', name))));
    const ranges = fleet.reads.map(({ headers }) => headers.range);
    assert.equal(ranges[0], undefined);
    assert.equal(ranges.length, 3);
    assert.match(ranges[2] ?? '', /^bytes=\d{7}-$/);
  });

  it('continues in a later download if the content is the same', async () => {
    await part.capture({ bytes: large });
    Object.assign(cuts, { after: 2 * MEBIBYTE, times: 5 });
    const { outcomes } = await download();
    assert.deepEqual(states(outcomes), ['failed']);
    const [partial = '', version = ''] = await files('data');
    const { size } = await stat(join(path, 'data', partial));
    assert.ok(size > MEBIBYTE);
    fleet.reads.splice(0);
    assert.deepEqual(states((await download()).outcomes), ['done']);
    assert.deepEqual(
      fleet.reads.map(({ headers }) => headers.range),
      [`bytes=${size}-`],
    );
    assert.equal((await files('data')).length, 1);
    // A partial download of different content isn't continued.
    const [name = ''] = await files('data');
    await rm(join(path, 'data', name));
    await writeFile(join(path, 'data', partial), 'wrong beginning');
    await writeFile(join(path, 'data', version), '"another"');
    assert.deepEqual(states((await download()).outcomes), ['done']);
    assert.ok(large.equals(await readFile(join(path, 'data', name))));
  });

  it('does not download existing files again', async () => {
    await part.capture({ bytes: large });
    await download();
    fleet.reads.splice(0);
    assert.deepEqual(states((await download()).outcomes), ['done']);
    assert.equal(fleet.reads.length, 0);
  });

  it('reports failures per item', async () => {
    await part.captureMany(5);
    const items = await part.items();
    const gone = items[2];
    assert.ok(gone);
    await fleet.session.stores.binaryData.delete([gone.id]);
    const { downloads } = await download();
    const outcomes = await downloads.fetch(items);
    assert.deepEqual(states(outcomes), ['done', 'done', 'failed', 'done', 'done']);
  });

  it('stops at a full disk, and reports it once', async () => {
    await part.captureMany(30);
    const real = await open();
    let writes = 0;
    const full: DownloadFolder = {
      names: (of) => real.names(of),
      size: (of, name) => real.size(of, name),
      read: (of, name) => real.read(of, name),
      write: (of, name, text) => real.write(of, name, text),
      rename: (from, to) => real.rename(from, to),
      remove: (of, name) => real.remove(of, name),
      open: (name, at) => {
        writes += 1;
        if (writes < 5) return real.open(name, at);
        return Promise.reject(new FolderError('The disk is full.', undefined));
      },
    };
    const { outcomes, downloads } = await download(full);
    assert.equal(downloads.broken?.message, 'The disk is full.');
    assert.ok(writes < 20, `${writes} files were begun`);
    const counts = (state: string): number =>
      states(outcomes).filter((one) => one === state).length;
    assert.ok(counts('notStarted') > 10);
    assert.ok(counts('done') >= 4);
  });

  it('stops when it is canceled', async () => {
    await part.captureMany(3);
    const controller = new AbortController();
    controller.abort();
    const { outcomes } = await download(await open(), controller.signal);
    assert.deepEqual(states(outcomes), Array(3).fill('notStarted'));
  });

  it('follows no link out of the folder', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    try {
      await symlink(elsewhere, join(path, 'data'));
      await assert.rejects(open(), /ELOOP/);
      await rm(join(path, 'data'));
      await part.capture({ bytes: Buffer.from('x'), fileName: 'a', fileExtension: '.txt' });
      const folder = await open();
      await symlink(join(elsewhere, 'target'), join(path, 'data/a.txt.part'));
      const { outcomes } = await download(folder);
      assert.deepEqual(states(outcomes), ['failed']);
      assert.deepEqual(await readdir(elsewhere), []);
      for (const name of ['../x', 'a/b', '..', '', 'a\\b', 'a\0']) {
        await assert.rejects(folder.write('data', name, 'x'), FolderError);
      }
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });
});
