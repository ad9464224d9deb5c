import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { organizationId } from '../../../../../src/core/model/ids';
import type { PackageFileInfo } from '../../../../../src/core/model/registryPackage';
import { FleetError } from '../../../../../src/core/api/errors';
import type { RegistryStore } from '../../../../../src/core/stores/registryStore';
import { fetchArchive } from '../../../../../src/host/features/registry/fetchArchive';
import { ResponseCutter } from '../../../../support/responseCutter';
import { type HttpFleet, openHttpFleet } from '../../../../support/httpFleet';

const ARCHIVE = Buffer.alloc(6 * 1024 * 1024, 'abcdefg');
const NAME = 'wheels-1.0.0-any.tar.gz';

describe('fetching an archive', function () {
  this.timeout(120_000);
  let fleet: HttpFleet;
  let registry: RegistryStore;
  let archive: PackageFileInfo;
  let folder: string;
  let cuts: ResponseCutter;

  beforeEach(async () => {
    cuts = new ResponseCutter();
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    fleet = await openHttpFleet(cuts.interfere);
    ({ registry } = fleet.session.stores);
    const organization = organizationId(fleet.organizationId);
    const { id } = await registry.createModule(organization, 'wheels');
    const read = async function* () {
      yield await Promise.resolve(ARCHIVE);
    };
    const key = { id, organizationId: organization };
    await registry.uploadModule({ ...key, version: '1.0.0', platform: 'any', read });
    archive = await registry.package(await registry.get(id), '1.0.0');
  });

  afterEach(async () => {
    await fleet.close();
    await rm(folder, { recursive: true });
  });

  const fetchIt = (
    of: Pick<PackageFileInfo, 'url' | 'checksum' | 'sizeBytes' | 'files'> = archive,
    signal = new AbortController().signal,
    onBytes: (bytes: number) => void = () => undefined,
  ) =>
    fetchArchive(of, join(folder, NAME), {
      registry,
      signal,
      onBytes,
      sleep: () => Promise.resolve(),
      describeError: (code) => code,
    });
  const files = async (): Promise<readonly string[]> => (await readdir(folder)).sort();

  it('replaces the existing file with the whole archive, and leaves nothing else', async () => {
    await writeFile(join(folder, NAME), 'an older one');
    const progress: number[] = [];
    assert.equal(await fetchIt(archive, undefined, (bytes) => progress.push(bytes)), true);
    assert.equal(progress.at(-1), ARCHIVE.length);
    assert.ok(ARCHIVE.equals(await readFile(join(folder, NAME))));
    assert.deepEqual(await files(), [NAME]);
    assert.equal(archive.checksum, createHash('sha256').update(ARCHIVE).digest('hex'));
  });

  it('continues after the connection was cut', async () => {
    Object.assign(cuts, { after: 2 * 1024 * 1024, times: 2 });
    assert.equal(await fetchIt(), true);
    assert.ok(ARCHIVE.equals(await readFile(join(folder, NAME))));
    assert.equal(fleet.reads.length, 3);
    assert.match(fleet.reads.at(-1)?.headers.range ?? '', /^bytes=[1-9]\d*-$/);
  });

  it('continues from the partial file of an earlier call, and preserves the existing file', async () => {
    await writeFile(join(folder, NAME), 'an older one');
    const stop = new AbortController();
    const canceled = fetchIt(archive, stop.signal, (bytes) => {
      if (bytes > 0) stop.abort();
    });
    await assert.rejects(canceled, (error) => {
      return error instanceof FleetError && error.kind === 'canceled';
    });
    assert.equal(await readFile(join(folder, NAME), 'utf8'), 'an older one');
    assert.equal(await fetchIt(), true);
    assert.match(fleet.reads.at(-1)?.headers.range ?? '', /^bytes=[1-9]\d*-$/);
    assert.ok(ARCHIVE.equals(await readFile(join(folder, NAME))));
    assert.deepEqual(await files(), [NAME]);
  });

  it('discards a file with another checksum', async () => {
    await writeFile(join(folder, NAME), 'an older one');
    assert.equal(await fetchIt({ ...archive, checksum: '0'.repeat(64) }), false);
    assert.deepEqual(await files(), [NAME]);
    assert.equal(await readFile(join(folder, NAME), 'utf8'), 'an older one');
  });

  it('stops if it receives more than announced, and discards it', async () => {
    const endless: RegistryStore['content'] = () =>
      Promise.resolve({
        start: 0,
        size: undefined,
        version: 'v1',
        chunks: (async function* () {
          for (;;) yield await Promise.resolve(Buffer.alloc(1024 * 1024));
        })(),
      });
    const reading = fetchArchive({ ...archive, sizeBytes: 3_000_000 }, join(folder, NAME), {
      registry: Object.assign(Object.create(registry) as RegistryStore, { content: endless }),
      signal: new AbortController().signal,
      onBytes: () => undefined,
      sleep: () => Promise.resolve(),
      describeError: (code) => code,
    });
    await assert.rejects(reading, {
      kind: 'invalid',
      message: /sent more than the announced 3\d{6} bytes/,
    });
    assert.deepEqual(await files(), []);
  });
});
