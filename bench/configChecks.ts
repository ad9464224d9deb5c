import type { JsonObject } from '@bufbuild/protobuf';
import { englishLocalizer } from '../src/base/localizer';
import { inSlices, yieldToEventLoop } from '../src/base/slices';
import { checkConfigInSteps } from '../src/core/configChecks/checkConfig';
import { checkModulesInSteps } from '../src/core/configChecks/checkModules';
import { parseStrictTree } from '../src/core/documents/jsonText';
import { parseConfigInSteps, resolveValue } from '../src/core/documents/resolvedText';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
import { watched } from './support/turnWatch';

// Misspelled on purpose: cspell:ignore gague senser

const CONFIG_BYTES = 2_000_000;
const ROUNDS = quickOrFull(5, 9);
const SLICE_AIM_MS = 30;
const TOTAL_AIM_MS = 300;

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

/** Does the same work as the editor after an edit. */
async function check(text: string): Promise<void> {
  const parsed = await inSlices(parseConfigInSteps(text));
  if (!parsed) throw new Error('The config is invalid.');
  await yieldToEventLoop();
  const resolved = resolveValue(parsed.value, () => undefined);
  await yieldToEventLoop();
  const options = { resolved, isFragment: false, l10n: englishLocalizer };
  const found = await inSlices(checkConfigInSteps(parsed.tree, options));
  if (found.length === 0) throw new Error('The mistakes were not found.');
  const modules = { resolved: resolved.config, modules: new Map(), l10n: englishLocalizer };
  await inSlices(checkModulesInSteps(parsed.tree, modules));
}

/** Returns the processor time of this process in milliseconds, which other programs don't affect. */
function readProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Compares the checks of a config of 2 MB with parsing it. */
async function main(): Promise<void> {
  const text = makeConfig();
  const totals: number[] = [];
  const longest: number[] = [];
  const parses: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let start = readProcessorTime();
    parseStrictTree(text);
    parses.push(readProcessorTime() - start);
    start = readProcessorTime();
    const { longestTurnMilliseconds } = await watched(() => check(text));
    totals.push(readProcessorTime() - start);
    longest.push(longestTurnMilliseconds);
  }
  report({
    name: 'checks of a config of 2 MB',
    ratio: median(totals) / median(parses),
    against: 'parsing the same text',
    aim: '<= 6',
    bytes: text.length,
    totalMs: { median: Math.round(median(totals)), aim: TOTAL_AIM_MS },
    longestSliceMs: { median: Math.round(median(longest)), aim: SLICE_AIM_MS },
    parseMs: Math.round(median(parses)),
  });
}

runBenchmark(main);
