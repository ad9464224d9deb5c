import { spawnSync } from 'node:child_process';
import { createGrpcWire } from '../src/core/api/grpcWire';
import { fillFleet } from '../src/simulate/fill/fillFleet';
import {
  demoDataUsage,
  type DemoDataOptions,
  readDemoDataOptions,
  UsageError,
} from './support/demoDataOptions';
import { FillProgress, fillLabels, grouped } from './support/fillProgress';
import { findFleet } from './support/findFleet';
import { fromRoot, root } from './support/paths';

const exitUsage = 2;
/** Exit code that shells report for a program stopped with Ctrl+C. */
const exitInterrupted = 130;

function build(): void {
  const { status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', fromRoot('scripts', 'build.ts')],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('scripts/build.ts failed.');
}

function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Don't use `once`, because the terminal and npm can both send the same signal.
    process.on(signal, () => controller.abort());
  }
  return controller.signal;
}

async function fill(options: DemoDataOptions, signal: AbortSignal): Promise<void> {
  const { counts, span, machines, seed } = options;
  await using running = new AsyncDisposableStack();
  const fleet = await findFleet(options.fleet, process.env, build);
  running.defer(() => fleet.stop());
  const wire = createGrpcWire(fleet.url);
  running.defer(() => wire.dispose());
  const begin = performance.now();
  let progress: FillProgress | undefined;
  try {
    await fillFleet({
      counts,
      span,
      machines,
      seed,
      signal,
      open: wire.open,
      key: fleet.key,
      organization: fleet.organization,
      begun: ({ organizationName, partNames }) => {
        const what = (['readings', 'images', 'pointClouds'] as const)
          .map((kind) => `${grouped(counts[kind])} ${fillLabels[kind]}`)
          .join(', ');
        console.log(`Filling "${organizationName}" at ${fleet.url} with ${what},`);
        console.log(`captured from ${span.start.toISOString()} to ${span.end.toISOString()}`);
        console.log(`by ${partNames.join(', ')}.`);
        progress = new FillProgress(counts, process.stdout, () => performance.now());
      },
      progress: (kind, done) => progress?.report(kind, done),
    });
  } finally {
    progress?.end();
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`Done in ${seconds} s. All of it is tagged "demo-data", but for some images.`);
}

/** Fills a fleet with captured data; see the usage. */
async function main(args: readonly string[]): Promise<void> {
  const folder = process.env.INIT_CWD ?? process.cwd();
  const options = readDemoDataOptions(args, new Date(), folder);
  if (options === undefined) {
    process.stdout.write(demoDataUsage);
    return;
  }
  const signal = interruption();
  try {
    await fill(options, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    console.log('Stopped. What was stored until then stays.');
    process.exitCode = exitInterrupted;
  }
}

main(process.argv.slice(2)).then(
  // Exit explicitly, because resources that a library leaves open must not block the terminal. Our
  // own resources are already closed.
  () => process.exit(),
  (error: unknown) => {
    console.error(`demo-data: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof UsageError) console.error('Run with --help for usage.');
    process.exit(error instanceof UsageError ? exitUsage : 1);
  },
);
