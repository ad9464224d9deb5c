import type { JsonObject } from '@bufbuild/protobuf';
import { englishLocalizer } from '../src/base/localizer';
import { LongWork } from '../src/base/longWork';
import { CHECK_SLICE_MS, checkConfigInSteps } from '../src/core/configChecks/checkConfig';
import { checkModulesInSteps } from '../src/core/configChecks/checkModules';
import { resourceNamesInSteps } from '../src/core/configChecks/resourceNames';
import { parseStrictTree } from '../src/core/documents/jsonText';
import { parseEditedConfigInSteps, resolveValueInSteps } from '../src/core/documents/resolvedText';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
import { watched } from './support/turnWatch';

// Misspelled on purpose: cspell:ignore gague senser

const CONFIG_BYTES = 2_000_000;
const REPETITIONS = 3;
const ROUNDS = quickOrFull(3, 7);
const MAX_SLICE_MS = 30;
const MAX_TOTAL_MS = 300;

/** Returns a sensor of a large cell, with a mistake in every tenth one. */
function makeSensor(index: number): JsonObject {
  return {
    name: `sensor-${String(index)}`,
    api: 'rdk:component:sensor',
    model: index % 10 === 0 ? 'acme:sensors:gague' : 'acme:sensors:gauge',
    attributes: {
      board: `sensor-${String(index % 50)}`,
      pins: { power: '32', signal: '36' },
      labels: ['left', 'inner', 'painted'],
      note: 'Left side of the cell',
    },
    depends_on: index === 0 ? [] : [`sensor-${String(index - 1)}`, `senser-${String(index)}`],
    frame: {
      parent: 'world',
      translation: { x: index, y: 2.5, z: 300 },
      orientation: { type: 'ov_degrees', value: { x: 0, y: 0, z: 1, th: 0 } },
    },
  };
}

function makeConfig(): string {
  const components: JsonObject[] = [];
  for (let bytes = 0; bytes < CONFIG_BYTES;) {
    const sensor = makeSensor(components.length);
    // Entries are indented by four spaces.
    bytes += JSON.stringify(sensor, null, 2).replaceAll('\n', '\n    ').length;
    components.push(sensor);
  }
  const modules = [{ name: 'sensors', module_id: 'acme:sensors', version: '1.0.0' }];
  return JSON.stringify({ components, modules }, null, 2);
}

/** Does the same work as the editor after an edit, in the same slices. */
async function check(text: string): Promise<void> {
  const work = new LongWork({ sliceMs: CHECK_SLICE_MS });
  const { config } = await work.run(parseEditedConfigInSteps(text));
  if (!config) throw new Error('The config is invalid.');
  const { tree, value } = config;
  const names = await work.run(resourceNamesInSteps({ node: tree, path: [] }));
  const resolved = await work.run(resolveValueInSteps(value, () => undefined));
  const options = { resolved, isFragment: false, names, l10n: englishLocalizer };
  const found = await work.run(checkConfigInSteps(tree, options));
  if (found.length === 0) throw new Error('The mistakes were not found.');
  const modules = { resolved: resolved.config, modules: new Map(), l10n: englishLocalizer };
  await work.run(checkModulesInSteps(tree, modules));
}

/** Returns the processor time of this process in milliseconds, which other programs don't affect. */
function readProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the processor time of the main thread in milliseconds. */
function readMainThreadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

interface Repetition {
  /** Processor time of all threads, which includes garbage collection. */
  readonly totalMs: number;
  /** Processor time of the main thread in the longest tick of the event loop. */
  readonly longestSliceMs: number;
  /** Duration of that tick, which includes the time that other programs took. */
  readonly longestBlockMs: number;
  /** Processor time of parsing the same text with the library, in one block. */
  readonly parseMs: number;
}

async function measure(text: string): Promise<Repetition> {
  let start = readProcessorTime();
  parseStrictTree(text);
  const parseMs = readProcessorTime() - start;
  let longestSliceMs = 0;
  let isRunning = true;
  let tickStart = readMainThreadTime();
  const watchTick = (): void => {
    const now = readMainThreadTime();
    longestSliceMs = Math.max(longestSliceMs, now - tickStart);
    tickStart = now;
    if (isRunning) setImmediate(watchTick);
  };
  setImmediate(watchTick);
  start = readProcessorTime();
  const { longestTurnMilliseconds } = await watched(() => check(text));
  const totalMs = readProcessorTime() - start;
  isRunning = false;
  return { totalMs, longestSliceMs, longestBlockMs: longestTurnMilliseconds, parseMs };
}

/** Compares the checks of a config of 2 MB with parsing it. */
async function main(): Promise<void> {
  const text = makeConfig();
  const repetitions: Repetition[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    const rounds: Repetition[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(text));
    const medianOf = (key: keyof Repetition): number =>
      Math.round(median(rounds.map((one) => one[key])));
    repetitions.push({
      totalMs: medianOf('totalMs'),
      longestSliceMs: medianOf('longestSliceMs'),
      longestBlockMs: medianOf('longestBlockMs'),
      parseMs: medianOf('parseMs'),
    });
  }
  const all = (key: keyof Repetition): readonly number[] => repetitions.map((one) => one[key]);
  report({
    name: 'checks of a config of 2 MB',
    ratio: median(all('totalMs')) / median(all('parseMs')),
    against: 'parsing the same text',
    aim: '<= 4',
    bytes: text.length,
    parseMs: all('parseMs'),
  });
  report({
    name: 'processor time of the checks of a config of 2 MB',
    ratio: median(all('totalMs')) / MAX_TOTAL_MS,
    against: `${String(MAX_TOTAL_MS)} ms`,
    aim: '<= 1',
    totalMs: all('totalMs'),
  });
  report({
    name: 'longest slice of the checks of a config of 2 MB',
    ratio: median(all('longestSliceMs')) / MAX_SLICE_MS,
    against: `${String(MAX_SLICE_MS)} ms of the main thread's processor time`,
    aim: '<= 1',
    longestSliceMs: all('longestSliceMs'),
    longestBlockMs: all('longestBlockMs'),
  });
}

runBenchmark(main);
