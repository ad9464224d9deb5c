import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CodeServer, startCodeServer } from '../scripts/support/codeServer';
import { runInExtensionHost } from '../scripts/support/hostRun';
import { buildForRelease, packFolder } from '../scripts/support/packExtension';
import { root } from '../scripts/support/paths';
import { stageExtension } from '../scripts/support/stageExtension';
import { writeSmallExtension } from '../scripts/support/smallExtension';
import { type Activation, activationVariables } from './support/activationVariables';
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

function packEmpty(folder: string, id: string): string {
  const vsix = join(folder, `${id}.vsix`);
  const source = join(folder, id);
  writeSmallExtension(source, { id });
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
 * Server of VS Code that starts a fresh extension host for each measurement. Starting the server
 * takes longer than the measurement, and has no effect on an extension host.
 */
class ActivationServer implements AsyncDisposable {
  private constructor(
    private readonly server: CodeServer,
    private readonly folder: string,
    private readonly testsPath: string,
  ) {}

  static async start(folder: string, extensions: readonly string[]): Promise<ActivationServer> {
    const developmentPath = join(folder, 'probe');
    // The workspace is separate from the installed extensions, because their templates contain files
    // that would activate our extension.
    mkdirSync(join(folder, 'workspace'));
    writeSmallExtension(developmentPath, { id: probe });
    const server = await startCodeServer({
      dataFolder: folder,
      extensions,
      smokeTestDriver: true,
      env: {
        [activationVariables.result]: join(folder, 'result.json'),
        [activationVariables.subjects]: join(folder, 'subjects.json'),
        [activationVariables.codeCache]: getCodeCache(folder),
      },
    });
    const testsPath = await bundleProbe('activationProbe.ts', developmentPath);
    return new ActivationServer(server, folder, testsPath);
  }

  /**
   * Returns the activations of each subject in two extension hosts. The first host runs until our
   * extension has written its code cache, which the second one uses.
   */
  async activateTwice(
    subjects: readonly string[],
  ): Promise<{ readonly first: Activations; readonly second: Activations }> {
    rmSync(getCodeCache(this.folder), { recursive: true, force: true });
    return { first: await this.activate(subjects), second: await this.activate(subjects) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop();
  }

  private async activate(subjects: readonly string[]): Promise<Activations> {
    const { server, folder, testsPath } = this;
    writeFileSync(join(folder, 'subjects.json'), JSON.stringify(subjects));
    const [developmentPath, workspace] = [join(folder, 'probe'), join(folder, 'workspace')];
    await runInExtensionHost({ server, developmentPath, testsPath, workspace });
    return JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as Activations;
  }
}

function getCodeCache(folder: string): string {
  return join(folder, 'user', 'User', 'globalStorage', ours, 'codeCache');
}

/**
 * Reports medians over fresh extension hosts. The order of the subjects is swapped each time,
 * because the second subject benefits from caches.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetwright-activation-'));
  const starts: Awaited<ReturnType<ActivationServer['activateTwice']>>[] = [];
  try {
    const extensions = [packOurs(folder), packEmpty(folder, empty), packEmpty(folder, warmUp)];
    await using server = await ActivationServer.start(folder, extensions);
    for (let run = 0; run < runs; run++) {
      const order = run % 2 === 0 ? [ours, empty] : [empty, ours];
      starts.push(await server.activateTwice([warmUp, ...order]));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
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
