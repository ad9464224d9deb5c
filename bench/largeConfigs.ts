import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { AppService } from '../src/gen/viam/app/v1/app_pb';
import { UpdateFragmentRequestSchema } from '../src/gen/viam/app/v1/fragment_pb';
import { UpdateRobotPartRequestSchema } from '../src/gen/viam/app/v1/machine_pb';
import { type ServiceKey, signIn, withApp } from '../test/support/serviceClients';
import { readJson, ServiceProgram } from '../test/support/serviceProgram';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
import { callOnce, connectHttp2, envelope } from './support/unaryLoad';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const CONFIG_BYTES = 3.9 * MEBIBYTE;
const ATTACKERS = 4;
const ATTACK_MS = quickOrFull(5_000, 15_000);
const CALM_MS = 5_000;
const REST_MS = 4_000;
const NAME = 'Attacked';
/**
 * Number of values per component, which limits the number of components. A Struct has about four
 * fields per value, and a message with a config can have at most 250,000 fields.
 */
const VALUES_PER_COMPONENT = 28;
const MAX_STRUCT_FIELDS = 240_000;

/** Returns a config that has a typical structure and almost the maximum size. */
function makeConfig(variant: number): JsonObject {
  const count = Math.floor(MAX_STRUCT_FIELDS / 4 / VALUES_PER_COMPONENT);
  const bytes = Math.floor(CONFIG_BYTES / count);
  const padding = Math.floor((bytes - 620) / 16);
  return {
    components: Array.from({ length: count }, (_, index) => ({
      name: `component-${index}`,
      api: 'rdk:component:camera',
      model: 'rdk:builtin:fake',
      attributes: {
        variant,
        texts: Array.from({ length: 16 }, (__, n) => `${n}${'x'.repeat(Math.max(0, padding))}`),
        limits: { min: 0, max: index, isOpen: true },
      },
    })),
  };
}

function readMemory(pid: number): number {
  const [, kibibytes = '0'] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kibibytes) / KIBIBYTE);
}

interface Attack {
  readonly path: string;
  /** Two bodies that change the same config back and forth. */
  readonly bodies: readonly Buffer[];
}

/** Prepares the resources to attack, one for each attacker. */
async function prepareAttacks(key: ServiceKey): Promise<Record<string, readonly Attack[]>> {
  const { updateRobotPart, updateFragment } = AppService.method;
  const toMethodPath = (method: { name: string }): string =>
    `/${AppService.typeName}/${method.name}`;
  const configs = [makeConfig(0), makeConfig(1)];
  const texts = configs.map((config) => JSON.stringify(config));
  const dense = [0, 1].map(
    (variant) => `{"values":[${`${variant},`.repeat(CONFIG_BYTES / 2)}${variant}]}`,
  );
  return withApp(key, async (app) => {
    const { organizations } = await app.listOrganizations({});
    const organizationId = organizations[0]?.id ?? '';
    const { location } = await app.createLocation({ organizationId, name: NAME });
    const attacks: Record<string, Attack[]> = {};
    const add = (name: string, path: string, bodies: Uint8Array[]): void => {
      (attacks[name] ??= []).push({ path, bodies: bodies.map((body) => envelope(body)) });
    };
    for (let index = 0; index < ATTACKERS; index += 1) {
      const robot = await app.newRobot({ name: `${NAME}${index}`, location: location?.id ?? '' });
      const { parts } = await app.getRobotParts({ robotId: robot.id });
      const part = { id: parts[0]?.id ?? '', name: parts[0]?.name ?? '' };
      const update = (init: { robotConfig?: JsonObject; robotConfigJson?: string }): Uint8Array =>
        toBinary(
          UpdateRobotPartRequestSchema,
          create(UpdateRobotPartRequestSchema, { ...part, ...init }),
        );
      const path = toMethodPath(updateRobotPart);
      add(
        'parts, Struct',
        path,
        configs.map((robotConfig) => update({ robotConfig })),
      );
      add(
        'parts, text',
        path,
        texts.map((robotConfigJson) => update({ robotConfigJson })),
      );
      add(
        'parts, text of 2 million values',
        path,
        dense.map((robotConfigJson) => update({ robotConfigJson })),
      );
      const { fragment } = await app.createFragment({ name: `${NAME}${index}`, organizationId });
      add(
        'fragments, Struct',
        toMethodPath(updateFragment),
        configs.map((config) =>
          toBinary(
            UpdateFragmentRequestSchema,
            create(UpdateFragmentRequestSchema, { id: fragment?.id ?? '', name: NAME, config }),
          ),
        ),
      );
    }
    return attacks;
  });
}

/** Sends both bodies repeatedly over a separate connection, and counts the responses. */
async function attack(
  url: string,
  authorization: string,
  { path, bodies }: Attack,
): Promise<number> {
  const session = connectHttp2(url);
  const end = performance.now() + ATTACK_MS;
  let count = 0;
  for (; performance.now() < end; count += 1) {
    await callOnce(
      session,
      { path, authorization },
      bodies[count % bodies.length] ?? Buffer.alloc(0),
    );
  }
  session.close();
  return count;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? NaN;
}

/** Measures the duration of small calls while a signed-in caller repeatedly saves large configs. */
async function main(): Promise<void> {
  await using program = await ServiceProgram.build();
  const run = program.serve('--data', program.path());
  const ready = await run.ready;
  const { pid } = run.child;
  if (ready === undefined || pid === undefined) throw new Error('The service did not start.');
  run.child.stderr?.pipe(process.stderr);
  const key = readJson(ready.credentialsFile) as ServiceKey;
  const authorization = `Bearer ${await signIn(key)}`;
  const attacks = await prepareAttacks(key);

  const probeProgram = join(import.meta.dirname, 'support/latencyProbe.ts');
  const probe = spawn(
    process.execPath,
    ['--import', 'tsx', probeProgram, ready.url, authorization],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const latencies: number[] = [];
  createInterface({ input: probe.stdout }).on('line', (line) => latencies.push(Number(line)));
  await sleep(CALM_MS);
  const results: Record<string, unknown> = {};
  let worst = 0;
  for (const [name, targets] of Object.entries(attacks)) {
    let first = latencies.length;
    await sleep(CALM_MS);
    const calm = latencies.slice(first).toSorted((a, b) => a - b);
    first = latencies.length;
    let peak = readMemory(pid);
    const watch = setInterval(() => (peak = Math.max(peak, readMemory(pid))), 100);
    const counts = await Promise.all(
      targets.map((target) => attack(ready.url, authorization, target)),
    );
    clearInterval(watch);
    const during = latencies.slice(first).toSorted((a, b) => a - b);
    await sleep(REST_MS);
    const p95 = percentile(during, 0.95);
    const normalP95 = percentile(calm, 0.95);
    worst = Math.max(worst, p95 / normalP95);
    results[name] = {
      normalMs: { median: median(calm), p95: normalP95 },
      attackMs: { median: median(during), p95, max: during.at(-1), calls: during.length },
      saved: counts.reduce((sum, count) => sum + count, 0),
      peakMiB: peak,
    };
  }
  probe.kill();
  run.child.kill('SIGTERM');
  await run.ended;
  report({
    name: 'p95 of ListOrganizations while large configs are saved',
    ratio: worst,
    against: 'the same call before',
    aim: '<= 5',
    results,
  });
}

runBenchmark(main);
