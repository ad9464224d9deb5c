import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCodeServer } from '../scripts/support/codeServer';
import { runInExtensionHost } from '../scripts/support/hostRun';
import { buildForRelease, packFolder } from '../scripts/support/packExtension';
import { root } from '../scripts/support/paths';
import { stageExtension } from '../scripts/support/stageExtension';
import { type Activation, activationVariables } from './support/activationVariables';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
import { writeEmptyExtension } from './support/emptyExtension';
import { bundleProbe } from './support/hostProbe';

const runs = quickOrFull(3, 7);
const PROCESSOR_LIMIT_MS = 40;
const ours = 'fleetwright.fleetwright';
const empty = 'bench.empty';
/**
 * Extension that is activated before the measured extensions, because the first activation in a
 * host includes startup costs of the host.
 */
const warmUp = 'bench.warm-up';
const probe = 'bench.probe';

function packEmpty(folder: string, id: string): string {
  const vsix = join(folder, `${id}.vsix`);
  const source = join(folder, id);
  writeEmptyExtension(source, id);
  packFolder(source, vsix);
  return vsix;
}

/**
 * Packs our extension for release, but without its activation after startup, so that the probe's
 * call activates it. The query engine is omitted, because activation doesn't load it.
 */
function packOurs(folder: string): string {
  buildForRelease();
  const staged = join(folder, ours);
  stageExtension({ source: root, folder: staged, target: 'universal', packages: [] });
  const file = join(staged, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { activationEvents: string[] };
  const activationEvents = manifest.activationEvents.filter((id) => id !== 'onStartupFinished');
  writeFileSync(file, JSON.stringify({ ...manifest, activationEvents }));
  const vsix = join(folder, `${ours}.vsix`);
  packFolder(staged, vsix);
  return vsix;
}

/** Activations in a fresh extension host by extension ID. */
type Activations = Record<string, Activation>;

/**
 * Returns the activations of each subject in two extension hosts with the same data folder. The first
 * host runs until our extension has written its code cache, which the second one uses.
 */
async function activateTwice(
  extensions: readonly string[],
  subjects: readonly string[],
): Promise<{ readonly first: Activations; readonly second: Activations }> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-activation-'));
  const result = join(folder, 'result.json');
  const developmentPath = join(folder, 'probe');
  // The workspace is separate from the installed extensions, because their templates contain files
  // that would activate our extension.
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  writeEmptyExtension(developmentPath, probe);
  const testsPath = await bundleProbe('activationProbe.ts', developmentPath);
  const codeCache = join(folder, 'user', 'User', 'globalStorage', ours, 'codeCache');
  const activate = async (installed: readonly string[]): Promise<Activations> => {
    const server = await startCodeServer({
      dataFolder: folder,
      extensions: installed,
      smokeTestDriver: true,
      env: {
        [activationVariables.result]: result,
        [activationVariables.subjects]: subjects.join(','),
        [activationVariables.codeCache]: codeCache,
      },
    });
    try {
      await runInExtensionHost({ server, developmentPath, testsPath, workspace });
      return JSON.parse(readFileSync(result, 'utf8')) as Activations;
    } finally {
      await server.stop();
    }
  };
  try {
    const first = await activate(extensions);
    return { first, second: await activate([]) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * Reports medians over fresh extension hosts. The order of the subjects is swapped each time,
 * because the second subject benefits from caches.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-empty-'));
  const extensions = [packOurs(folder), packEmpty(folder, empty), packEmpty(folder, warmUp)];
  const starts: Awaited<ReturnType<typeof activateTwice>>[] = [];
  for (let run = 0; run < runs; run++) {
    const order = run % 2 === 0 ? [ours, empty] : [empty, ours];
    starts.push(await activateTwice(extensions, [warmUp, ...order]));
  }
  rmSync(folder, { recursive: true });
  const measure = (start: 'first' | 'second', id: string, key: keyof Activation): number =>
    median(starts.map((figures) => figures[start][id]?.[key] ?? Number.NaN));
  const compare = (start: 'first' | 'second') => {
    const milliseconds = measure(start, ours, 'milliseconds');
    const emptyMilliseconds = measure(start, empty, 'milliseconds');
    return { ratio: milliseconds / emptyMilliseconds, milliseconds, emptyMilliseconds, runs };
  };
  report({
    name: 'activation',
    against: 'an empty extension in the same host, at the second start, as at all later ones',
    aim: '<= 1.5',
    ...compare('second'),
  });
  report({
    name: 'activation at the first start of a version',
    against: 'an empty extension in the same host, before code is cached',
    aim: '<= 3',
    ...compare('first'),
  });
  const processorMilliseconds = measure('second', ours, 'processorMilliseconds');
  report({
    name: 'processor time of activation',
    ratio: processorMilliseconds / PROCESSOR_LIMIT_MS,
    against: `${String(PROCESSOR_LIMIT_MS)} ms, at the second start`,
    aim: '<= 1',
    processorMilliseconds,
    emptyProcessorMilliseconds: measure('second', empty, 'processorMilliseconds'),
    firstProcessorMilliseconds: measure('first', ours, 'processorMilliseconds'),
  });
}

runBenchmark(main);
