import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCodeServer } from '../scripts/support/codeServer';
import { runInExtensionHost } from '../scripts/support/hostRun';
import { buildForRelease, packFolder } from '../scripts/support/packExtension';
import { root } from '../scripts/support/paths';
import { stageExtension } from '../scripts/support/stageExtension';
import { type Activation, activationVariables } from './support/activationVariables';
import { fastest, quickOrFull, report, runBenchmark } from './support/figures';
import { bundleProbe } from './support/hostProbe';

/** An even number, so that each subject is the first one in half of the runs. */
const runs = quickOrFull(4, 8);
const PROCESSOR_LIMIT_MS = 40;
const ours = 'fleetwright.fleetwright';
const empty = 'bench.empty';
/**
 * Extension that is activated before the measured extensions, because the first activation in a
 * host includes startup costs of the host.
 */
const warmUp = 'bench.warm-up';
const probe = 'bench.probe';

function writeExtension(folder: string, id: string): void {
  const [publisher, name] = id.split('.');
  const manifest = {
    publisher,
    name,
    version: '0.0.1',
    main: './main.js',
    activationEvents: [],
    engines: { vscode: '^1.100.0' },
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'main.js'), 'exports.activate = () => undefined;\n');
  writeFileSync(join(folder, 'LICENSE'), '');
}

function packEmpty(folder: string, id: string): string {
  const vsix = join(folder, `${id}.vsix`);
  const source = join(folder, id);
  writeExtension(source, id);
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

/** Activations in a host without a code cache and in the next host, which uses the cache. */
interface Starts {
  readonly first: Activations;
  readonly second: Activations;
}

/**
 * Returns the activations in pairs of extension hosts. The first host of a pair runs until our
 * extension has written its code cache, which the second one uses.
 *
 * @param extensions packaged extensions to install
 * @param orders subjects of each pair, in the order in which they are activated
 */
async function activateInPairs(
  extensions: readonly string[],
  orders: readonly (readonly string[])[],
): Promise<Starts[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-activation-'));
  const result = join(folder, 'result.json');
  const subjectsFile = join(folder, 'subjects.json');
  const developmentPath = join(folder, 'probe');
  // The workspace is separate from the installed extensions, because their templates contain files
  // that would activate our extension.
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  writeExtension(developmentPath, probe);
  const testsPath = await bundleProbe('activationProbe.ts', developmentPath);
  const codeCache = join(folder, 'user', 'User', 'globalStorage', ours, 'codeCache');
  // Starting a server and installing the extensions takes longer than all activations in it.
  const server = await startCodeServer({
    dataFolder: folder,
    extensions,
    smokeTestDriver: true,
    env: {
      [activationVariables.result]: result,
      [activationVariables.subjectsFile]: subjectsFile,
      [activationVariables.codeCache]: codeCache,
    },
  });
  const activate = async (): Promise<Activations> => {
    await runInExtensionHost({ server, developmentPath, testsPath, workspace });
    return JSON.parse(readFileSync(result, 'utf8')) as Activations;
  };
  try {
    const starts: Starts[] = [];
    for (const subjects of orders) {
      rmSync(codeCache, { recursive: true, force: true });
      writeFileSync(subjectsFile, JSON.stringify(subjects));
      starts.push({ first: await activate(), second: await activate() });
    }
    return starts;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * Reports the fastest of several fresh extension hosts, for each subject from the hosts in which it
 * is activated before the other one, because the second one benefits from caches.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-empty-'));
  const extensions = [packOurs(folder), packEmpty(folder, empty), packEmpty(folder, warmUp)];
  const orders = Array.from({ length: runs }, (_, run) =>
    run % 2 === 0 ? [warmUp, ours, empty] : [warmUp, empty, ours],
  );
  const starts = await activateInPairs(extensions, orders);
  rmSync(folder, { recursive: true });
  const measure = (start: keyof Starts, id: string, key: keyof Activation): number =>
    fastest(
      starts
        .filter((_, run) => orders[run]?.[1] === id)
        .map((pair) => pair[start][id]?.[key] ?? Number.NaN),
    );
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
