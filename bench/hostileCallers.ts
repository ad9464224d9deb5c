import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import {
  DataCaptureUploadRequestSchema,
  DataSyncService,
  DataType,
} from '../src/gen/viam/app/datasync/v1/data_sync_pb';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import { type ServiceKey, signIn } from '../test/support/serviceClients';
import { readJson, ServiceProgram } from '../test/support/serviceProgram';
import { median, report, runBenchmark } from './support/figures';

const MEBIBYTE = 1024 * 1024;
const KIBIBYTE = 1024;
const JSON_BYTES = 60 * MEBIBYTE;
const CHUNK = Buffer.alloc(256 * KIBIBYTE);
const HELD_CONNECTIONS = 60;
const HELD_BYTES = 60 * MEBIBYTE;
const MESSAGE_BYTES = 64 * MEBIBYTE;
const BOMBS = 20;
const BOMB_BYTES = 63 * MEBIBYTE;
/** Maximum duration of an attack. */
const MAX_ATTACK_MS = 20_000;
const MIN_ATTACK_MS = 3_000;
const REST_MS = 8_000;
const LAST_REST_MS = 30_000;
const CALM_MS = 5_000;

const LIST = `/${AppService.typeName}/${AppService.method.listOrganizations.name}`;
const UPLOAD = `/${DataSyncService.typeName}/${DataSyncService.method.dataCaptureUpload.name}`;

interface Target {
  readonly url: string;
  /** Authorization header; absent for callers that aren't signed in. */
  readonly authorization?: string;
}

/** Posts 60 MiB of JSON; returns the status, or `reset` if the connection is closed first. */
async function postJson({ url, authorization }: Target, signal: AbortSignal): Promise<string> {
  const outgoing = request(url + LIST, {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      'content-type': 'application/json',
      'content-length': JSON_BYTES,
      ...(authorization && { authorization }),
    },
  });
  const answer = new Promise<string>((resolve) => {
    outgoing.once('response', (incoming) => {
      incoming.resume();
      resolve(String(incoming.statusCode));
    });
    outgoing.on('error', () => resolve('reset'));
  });
  const objects = Buffer.from('{},'.repeat(CHUNK.length / 4));
  let left = JSON_BYTES;
  const send = (bytes: Buffer): void => {
    left -= bytes.length;
    if (left <= 0) outgoing.end(bytes);
    else outgoing.write(bytes, () => send(objects.subarray(0, Math.min(left, objects.length))));
  };
  send(Buffer.from('{"x":['));
  return answer;
}

/**
 * Starts a gRPC upload over a separate connection. Calls `body`, which sends the data, and ends the
 * request if `body` returns true. Returns the status if one arrives.
 */
async function upload(
  { url, authorization }: Target,
  headers: Record<string, string>,
  body: (write: (bytes: Buffer) => Promise<void>) => Promise<boolean>,
  signal: AbortSignal,
): Promise<string> {
  const session = connect(url);
  session.on('error', () => undefined);
  const stream = session.request({
    ':method': 'POST',
    ':path': UPLOAD,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...(authorization && { authorization }),
    ...headers,
  });
  let status = 'no answer';
  const takeStatus = (received: IncomingHttpHeaders): void => {
    status = received['grpc-status']?.toString() ?? status;
  };
  stream
    .on('response', takeStatus)
    .on('trailers', takeStatus)
    .on('error', () => undefined);
  stream.resume();
  const closed = once(stream, 'close');
  const write = (bytes: Buffer): Promise<void> =>
    new Promise((resolve) => {
      if (stream.destroyed || stream.writableEnded) resolve();
      else stream.write(bytes, () => resolve());
    });
  signal.addEventListener('abort', () => session.destroy(), { once: true });
  const isComplete = await Promise.race([body(write), closed.then(() => false)]);
  if (isComplete) stream.end();
  await closed;
  session.destroy();
  return status;
}

function envelopeHead(flags: number, length: number): Buffer {
  const head = Buffer.alloc(5, flags);
  head.writeUInt32BE(length, 1);
  return head;
}

/** Sends most of a 64 MiB message and stops. */
function sendPartialMessage(target: Target, signal: AbortSignal): Promise<string> {
  return upload(
    target,
    {},
    async (write) => {
      await write(envelopeHead(0, MESSAGE_BYTES));
      for (let sent = 0; sent < HELD_BYTES && !signal.aborted; sent += CHUNK.length) {
        await write(CHUNK);
      }
      return false;
    },
    signal,
  );
}

function makeBomb(): Buffer {
  const value = new Uint8Array(BOMB_BYTES);
  const metadata = { partId: 'unknown', type: DataType.BINARY_SENSOR };
  const bytes = toBinary(
    DataCaptureUploadRequestSchema,
    create(DataCaptureUploadRequestSchema, {
      metadata,
      sensorContents: [{ data: { case: 'binary', value } }],
    }),
  );
  const compressed = gzipSync(bytes);
  return Buffer.concat([envelopeHead(1, compressed.length), compressed]);
}

/** Runs attackers concurrently and counts the responses that they get. */
async function attack(
  count: number,
  attacker: (signal: AbortSignal) => Promise<string>,
): Promise<Record<string, number>> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), MAX_ATTACK_MS);
  const [answers] = await Promise.all([
    Promise.all(Array.from({ length: count }, () => attacker(abort.signal))),
    sleep(MIN_ATTACK_MS),
  ]);
  clearTimeout(timer);
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

function readMemory(pid: number): number {
  const [, kibibytes = '0'] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kibibytes) / KIBIBYTE);
}

async function main(): Promise<void> {
  await using program = await ServiceProgram.build();
  const run = program.serve('--ephemeral', '--demo', '--demo-machines', 'still');
  const ready = await run.ready;
  const { pid } = run.child;
  if (ready === undefined || pid === undefined) throw new Error('The service did not start.');
  run.child.stderr?.pipe(process.stderr);
  const authorization = `Bearer ${await signIn(readJson(ready.credentialsFile) as ServiceKey)}`;
  const stranger: Target = { url: ready.url };
  const member: Target = { url: ready.url, authorization };

  const probe = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      join(import.meta.dirname, 'support/latencyProbe.ts'),
      ready.url,
      authorization,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const latencies: number[] = [];
  createInterface({ input: probe.stdout }).on('line', (line) => latencies.push(Number(line)));
  await sleep(CALM_MS);
  const normal = median(latencies);

  const bomb = makeBomb();
  const attacks: Record<string, () => Promise<Record<string, number>>> = {
    'calm, as long as an attack': () => attack(0, () => Promise.resolve('')),
    'JSON of 60 MiB, not signed in': () => attack(1, (signal) => postJson(stranger, signal)),
    'JSON of 60 MiB, signed in': () => attack(1, (signal) => postJson(member, signal)),
    '8 × JSON of 60 MiB, not signed in': () => attack(8, (signal) => postJson(stranger, signal)),
    '8 × JSON of 60 MiB, signed in': () => attack(8, (signal) => postJson(member, signal)),
    '60 messages held, not signed in': () =>
      attack(HELD_CONNECTIONS, (signal) => sendPartialMessage(stranger, signal)),
    '60 messages held, signed in': () =>
      attack(HELD_CONNECTIONS, (signal) => sendPartialMessage(member, signal)),
    '20 bombs, signed in': () =>
      attack(BOMBS, (signal) =>
        upload(
          member,
          { 'grpc-encoding': 'gzip' },
          (write) => write(bomb).then(() => true),
          signal,
        ),
      ),
  };
  const results: Record<string, unknown> = {};
  let worst = 0;
  for (const [name, start] of Object.entries(attacks)) {
    const before = readMemory(pid);
    const first = latencies.length;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, readMemory(pid))), 50);
    const begin = performance.now();
    const answers = await start();
    const seconds = Math.round((performance.now() - begin) / 100) / 10;
    clearInterval(watch);
    const during = latencies.slice(first);
    const sorted = during.toSorted((a, b) => a - b);
    await sleep(REST_MS);
    const after = readMemory(pid);
    worst = Math.max(worst, median(during) / normal);
    results[name] = {
      memoryMiB: { before, peak, after },
      latencyMs: {
        median: median(during),
        p95: sorted[Math.floor(sorted.length * 0.95)],
        max: sorted.at(-1),
        calls: during.length,
      },
      seconds,
      answers,
    };
  }
  await sleep(LAST_REST_MS);
  const memoryAtEndMiB = readMemory(pid);
  probe.kill();
  report({
    name: 'median latency of ListOrganizations while others attack',
    ratio: worst,
    against: 'the same call before',
    aim: '<= 5',
    normalMs: normal,
    memoryAtEndMiB,
    results,
  });
}

runBenchmark(main);
