import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCodeServer } from '../scripts/support/codeServer';
import { runInExtensionHost } from '../scripts/support/hostRun';
import { buildForRelease, packFolder } from '../scripts/support/packExtension';
import { root } from '../scripts/support/paths';
import { stageExtension } from '../scripts/support/stageExtension';
import type { Activation } from './support/activationProbe';
import { median, quickOrFull, report, runBenchmark } from './support/figures';
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

/** Returns the first activation of each subject in a fresh extension host. */
async function activateOnce(
  extensions: readonly string[],
  subjects: readonly string[],
): Promise<Record<string, Activation>> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-activation-'));
  const result = join(folder, 'result.json');
  const developmentPath = join(folder, 'probe');
  // The workspace is separate from the installed extensions, because their templates contain files
  // that would activate our extension.
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  writeExtension(developmentPath, probe);
  const testsPath = await bundleProbe('activationProbe.ts', developmentPath);
  const server = await startCodeServer({
    dataFolder: folder,
    extensions,
    smokeTestDriver: true,
    env: {
      FLEETWRIGHT_ACTIVATION_RESULT: result,
      FLEETWRIGHT_ACTIVATION_SUBJECTS: subjects.join(','),
    },
  });
  try {
    await runInExtensionHost({ server, developmentPath, testsPath, workspace });
    return JSON.parse(readFileSync(result, 'utf8')) as Record<string, Activation>;
  } finally {
    await server.stop();
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
  const figures: Record<string, Activation>[] = [];
  for (let run = 0; run < runs; run++) {
    const order = run % 2 === 0 ? [ours, empty] : [empty, ours];
    figures.push(await activateOnce(extensions, [warmUp, ...order]));
  }
  rmSync(folder, { recursive: true });
  const measure = (id: string, key: keyof Activation): number =>
    median(figures.map((figure) => figure[id]?.[key] ?? Number.NaN));
  const milliseconds = measure(ours, 'milliseconds');
  const emptyMilliseconds = measure(empty, 'milliseconds');
  report({
    name: 'activation',
    ratio: milliseconds / emptyMilliseconds,
    against: 'an empty extension in the same host',
    aim: '<= 1.5',
    milliseconds,
    emptyMilliseconds,
    runs,
  });
  const processorMilliseconds = measure(ours, 'processorMilliseconds');
  report({
    name: 'processor time of activation',
    ratio: processorMilliseconds / PROCESSOR_LIMIT_MS,
    against: `${String(PROCESSOR_LIMIT_MS)} ms`,
    aim: '<= 1',
    processorMilliseconds,
    emptyProcessorMilliseconds: measure(empty, 'processorMilliseconds'),
  });
}

runBenchmark(main);
