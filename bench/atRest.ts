import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { createGrpcWire } from '../src/core/api/grpcWire';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import { GetRobotPartResponseSchema } from '../src/gen/viam/app/v1/machine_pb';
import { type ServiceKey, signIn } from '../test/support/serviceClients';
import { readJson, ServiceProgram } from '../test/support/serviceProgram';
import { startChildServer } from './support/childServer';
import { CountingProxy } from './support/countingProxy';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
import { readMemory, readProcessorTime, readWakeups } from './support/processUsage';
import { startTickingProcess } from './support/tickingProcess';

/** Time for work after the start, such as compiling. */
const SETTLE_MS = quickOrFull(12_000, 60_000);
const WINDOW_MS = quickOrFull(4_000, 40_000);
/**
 * The median of three windows doesn't include the garbage collection that the service runs once, ten
 * seconds after the demo is loaded.
 */
const WINDOWS = 3;
const TAIL_WINDOW_MS = quickOrFull(3_000, 120_000);

interface OwnerKey extends ServiceKey {
  readonly organizationId: string;
}

/** Returns the ID of a part in an organization. */
async function findPart(url: string, key: OwnerKey, authorization: string): Promise<string> {
  const wire = createGrpcWire(url);
  try {
    const app = createClient(AppService, wire.open([]));
    const headers = { authorization };
    const { organizationId } = key;
    const { locations } = await app.listLocations({ organizationId }, { headers });
    for (const { id: locationId } of locations) {
      const { robots } = await app.listRobots({ locationId }, { headers });
      for (const { id: robotId } of robots) {
        const { parts } = await app.getRobotParts({ robotId }, { headers });
        for (const { id } of parts) return id;
      }
    }
  } finally {
    wire.dispose();
  }
  throw new Error('The demo fleet has no parts.');
}

/** An open log tail of the editor's client, and the bytes that it has transferred. */
class OpenTail implements Disposable {
  private readonly stop = new AbortController();
  private readonly wire: ReturnType<typeof createGrpcWire>;

  private constructor(private readonly proxy: CountingProxy) {
    this.wire = createGrpcWire(proxy.url);
  }

  /** Opens a tail; resolves when it is live. */
  static async open(url: string, id: string, authorization: string): Promise<OpenTail> {
    const tail = new OpenTail(await CountingProxy.start(url));
    const app = createClient(AppService, tail.wire.open([]));
    const options = { headers: { authorization }, signal: tail.stop.signal };
    const request = { id, errorsOnly: false };
    const messages = app.tailRobotPartLogs(request, options)[Symbol.asyncIterator]();
    await messages.next();
    tail.read(messages).catch(() => undefined);
    return tail;
  }

  get bytes(): number {
    return this.proxy.bytes;
  }

  [Symbol.dispose](): void {
    this.stop.abort();
    this.wire.dispose();
    this.proxy[Symbol.dispose]();
  }

  private async read(messages: AsyncIterator<unknown>): Promise<void> {
    while (!(await messages.next()).done);
  }
}

/**
 * Measures the idle service with the demo fleet: processor time, memory, and the
 * bytes of an open log tail whose machine logs nothing. A connect-node server without logic is
 * measured at the same time.
 */
runBenchmark(async () => {
  await using program = await ServiceProgram.build();
  const run = program.serve('--ephemeral', '--demo', '--demo-machines', 'still');
  const ready = await run.ready;
  if (ready === undefined) throw new Error('The service did not start.');
  const key = readJson(ready.credentialsFile) as OwnerKey;
  const authorization = `Bearer ${await signIn(key)}`;
  const file = join(program.folder, 'answer.bin');
  writeFileSync(file, toBinary(GetRobotPartResponseSchema, create(GetRobotPartResponseSchema)));
  const bare = await startChildServer('echoServer.ts', file);
  try {
    const id = await findPart(ready.url, key, authorization);
    using ticking = startTickingProcess();
    const pids = { ours: Number(run.child.pid), bare: bare.pid, ticking: ticking.pid };
    const read = () => ({
      ours: readProcessorTime(pids.ours),
      bare: readProcessorTime(pids.bare),
      ticking: readProcessorTime(pids.ticking),
      wakeups: readWakeups(pids.ours),
    });
    const measure = async (): Promise<ReturnType<typeof read>> => {
      const before = read();
      await sleep(WINDOW_MS);
      const after = read();
      const perMinute = (name: keyof typeof after): number =>
        ((after[name] - before[name]) * 60_000) / WINDOW_MS;
      return {
        ours: perMinute('ours'),
        bare: perMinute('bare'),
        ticking: perMinute('ticking'),
        wakeups: perMinute('wakeups'),
      };
    };
    await sleep(SETTLE_MS);
    const windows: Awaited<ReturnType<typeof measure>>[] = [];
    for (let window = 0; window < WINDOWS; window += 1) windows.push(await measure());
    const middle = (name: keyof (typeof windows)[number]): number =>
      median(windows.map((figures) => figures[name]));
    const memory = { ours: readMemory(pids.ours).now, bare: readMemory(pids.bare).now };
    report({
      name: 'processor time of the idle service with the demo fleet',
      ratio: middle('ours') / middle('ticking'),
      against: 'a Node.js process that only wakes up once a second',
      aim: '<= 2',
      millisecondsPerMinute: Number(middle('ours').toFixed(1)),
      bareMillisecondsPerMinute: Number(middle('bare').toFixed(1)),
      tickingMillisecondsPerMinute: Number(middle('ticking').toFixed(1)),
      wakeupsPerMinute: Math.round(middle('wakeups')),
      windowMillisecondsPerMinute: windows.map(({ ours }) => Number(ours.toFixed(1))),
    });
    report({
      name: 'memory of the idle service with the demo fleet',
      ratio: memory.ours / memory.bare,
      against: 'an idle connect-node server without logic',
      aim: '<= 2',
      mebibytes: memory.ours,
      bareMebibytes: memory.bare,
    });
    using tail = await OpenTail.open(ready.url, id, authorization);
    using bareTail = await OpenTail.open(bare.url, id, authorization);
    const opening = { ours: tail.bytes, bare: bareTail.bytes };
    await sleep(TAIL_WINDOW_MS);
    report({
      name: 'bytes of a log tail without lines, from opening it',
      ratio: tail.bytes / bareTail.bytes,
      against: 'the same client with a connect-node server that sends nothing',
      aim: '<= 2',
      openingBytes: opening.ours,
      bareOpeningBytes: opening.bare,
      bytesPerMinute: Math.round(((tail.bytes - opening.ours) * 60_000) / TAIL_WINDOW_MS),
      bareBytesPerMinute: Math.round(((bareTail.bytes - opening.bare) * 60_000) / TAIL_WINDOW_MS),
    });
  } finally {
    bare.stop();
  }
});
