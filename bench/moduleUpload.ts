import { once } from 'node:events';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { constants } from 'node:http2';
import { join } from 'node:path';
import { DiskBuilds } from '../src/archives/diskBuilds';
import { organizationId, type RegistryItemId } from '../src/core/model/ids';
import { uploadBuilds } from '../src/core/modules/upload/uploadBuilds';
import { prepareBuild } from '../src/core/modules/upload/preparedBuild';
import { englishLocalizer } from '../src/base/localizer';
import type { RegistryStore } from '../src/core/stores/registryStore';
import { BenchFleet } from './support/benchFleet';
import { BenchStores } from './support/benchStores';
import { startChildServer } from './support/childServer';
import { median, milliseconds, quickOrFull, report, runBenchmark } from './support/figures';
import { MemoryWatch } from './support/memoryWatch';
import { tarAndGzip, writeBuild, writePacked } from './support/moduleBuild';
import { connectHttp2 } from './support/unaryLoad';

const MEBIBYTE = 1024 * 1024;
const MEBIBYTES = Number(process.env.FLEETWRIGHT_BENCH_MEBIBYTES ?? quickOrFull(64, 1024));
const ROUNDS = quickOrFull(2, 3);
const RAW_CHUNK_BYTES = 64 * 1024;
/**
 * Maximum additional memory, in MiB, that the client or the service can use for a build of any
 * size.
 */
const FLAT_MEBIBYTES = 150;

/**
 * Sends a number of bytes over a raw HTTP/2 stream with back pressure. With `/kept`, the server
 * writes the bytes to disk.
 */
async function sendRaw(url: string, path: '/' | '/kept', bytes: number): Promise<void> {
  const session = connectHttp2(url);
  const stream = session.request({ ':method': constants.HTTP2_METHOD_POST, ':path': path });
  stream.resume();
  const closed = once(stream, 'close');
  const chunk = Buffer.alloc(RAW_CHUNK_BYTES, 7);
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    if (!stream.write(chunk)) await once(stream, 'drain');
  }
  stream.end();
  await closed;
  session.destroy();
}

/** Uploads builds of one module as the editor does, each as a separate version. */
class Uploader {
  private readonly builds = new DiskBuilds(englishLocalizer);
  private readonly signal = new AbortController().signal;
  private version = 0;

  constructor(
    private readonly registry: RegistryStore,
    private readonly id: RegistryItemId,
  ) {}

  /** Inspects a build, as the editor does before every upload. */
  async inspect(path: string): Promise<void> {
    const { diagnostics } = await prepareBuild(this.builds, { path }, undefined, {
      signal: this.signal,
    });
    if (diagnostics.length > 0) throw new Error(`${path} cannot be uploaded.`);
  }

  async upload(path: string): Promise<void> {
    const { registry, builds, signal } = this;
    this.version += 1;
    const item = await registry.get(this.id);
    const read = (reading: AbortSignal) => builds.read(path, {}, { signal: reading });
    const version = `1.0.${String(this.version)}`;
    const build = { platform: 'any' as const, read };
    const upload = { item, version, builds: [build], update: undefined };
    const { failed } = await uploadBuilds(registry, upload, { signal });
    if (failed) throw failed.error;
  }
}

/**
 * Uploads a build from a folder to the registry (tar, gzip, stream, store), compared with `tar |
 * gzip` to a file on the same disk; uploads an existing archive, compared with a raw HTTP/2 stream
 * whose server hashes and stores the bytes, as every server that acknowledges uploads must; and
 * measures the memory of both sides.
 */
runBenchmark(async () => {
  await using fleet = await BenchFleet.start();
  using stores = new BenchStores(fleet);
  const scratch = join(fleet.directory, '..', 'builds');
  const [folder, archive, packed] = ['build', 'archive.tar.gz', 'packed.tar.gz'].map((name) =>
    join(scratch, name),
  ) as [string, string, string];
  await mkdir(folder, { recursive: true });
  await writeBuild(folder, MEBIBYTES);
  await writePacked(packed, MEBIBYTES);
  const bare = await startChildServer('streamServer.ts', join(scratch, 'raw'));
  const { registry } = stores.stores;
  const { id } = await registry.createModule(organizationId(fleet.key.organizationId), 'bench');
  const uploader = new Uploader(registry, id);
  const times: Record<'build' | 'tarGzip' | 'inspect' | 'ready' | 'raw' | 'stored', number[]> = {
    build: [],
    tarGzip: [],
    inspect: [],
    ready: [],
    raw: [],
    stored: [],
  };
  const before = fleet.memory();
  using own = new MemoryWatch();
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      // The service stores identical bytes only once, so the bytes differ in each round.
      await writeFile(join(folder, '0'), `round ${String(round)}`);
      await writeFile(packed, `round ${String(round)}`, { flag: 'r+' });
      times.tarGzip.push(await milliseconds(() => tarAndGzip(folder, archive)));
      times.build.push(
        await milliseconds(async () => {
          await uploader.inspect(folder);
          await uploader.upload(folder);
        }),
      );
      times.inspect.push(await milliseconds(() => uploader.inspect(archive)));
      times.raw.push(await milliseconds(() => sendRaw(bare.url, '/', MEBIBYTES * MEBIBYTE)));
      times.stored.push(await milliseconds(() => sendRaw(bare.url, '/kept', MEBIBYTES * MEBIBYTE)));
      times.ready.push(await milliseconds(() => uploader.upload(packed)));
    }
    const { now, peak } = fleet.memory();
    const memory = {
      serviceMebibytesBefore: before.now,
      serviceMebibytesAfter: now,
      serviceMebibytesAtMost: peak,
      clientMebibytesBefore: own.before,
      clientMebibytesAtMost: own.peak,
      isMemoryFlat: peak - before.now <= FLAT_MEBIBYTES && own.peak - own.before <= FLAT_MEBIBYTES,
    };
    const perSecond = (all: readonly number[]): number =>
      Math.round(MEBIBYTES * (1000 / median(all)));
    report({
      name: `upload of a build of ${String(MEBIBYTES)} MiB from its folder`,
      ratio: median(times.build.map((time, n) => time / (times.tarGzip[n] ?? NaN))),
      against: 'the time of tar | gzip of the same folder to a file',
      aim: '<= 1.2',
      seconds: Number((median(times.build) / 1000).toFixed(1)),
      tarGzipSeconds: Number((median(times.tarGzip) / 1000).toFixed(1)),
      archiveMebibytes: Math.round((await stat(archive)).size / MEBIBYTE),
      secondsToLookThroughTheArchive: Number((median(times.inspect) / 1000).toFixed(1)),
      ...memory,
    });
    report({
      name: `upload of an archive of ${String(MEBIBYTES)} MiB as it is`,
      ratio: median(times.ready.map((time, n) => (times.stored[n] ?? NaN) / time)),
      against:
        'a raw HTTP/2 stream on loopback, whose server hashes the bytes and stores them durably',
      aim: '>= 0.85',
      mebibytesPerSecond: perSecond(times.ready),
      rawMebibytesPerSecond: perSecond(times.stored),
      ratioToDiscardingServer: Number(
        median(times.ready.map((time, n) => (times.raw[n] ?? NaN) / time)).toFixed(3),
      ),
      ...memory,
    });
  } finally {
    bare.stop();
    await rm(scratch, { recursive: true, force: true });
  }
});
