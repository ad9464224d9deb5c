import { type BuildInstructions, type BuildStep, planBuild } from '../core/modules/build/buildPlan';
import { platformEnvironment } from '../core/modules/build/platformEnvironment';
import type { Platform } from '../core/modules/platforms';
import { BuildFailure } from './buildFailure';
import { type BuildResult, findResult, KeptResults } from './buildResult';
import { runCommand } from './runCommand';

/** As shells say it of Ctrl+C. */
const STOPPED_EXIT_CODE = 130;

/** A build to run. */
export interface Build {
  /** The manifest's folder, absolute: its commands run there. */
  readonly folder: string;
  readonly instructions: BuildInstructions;
  /** Built one after the other; none for a build that is for whatever it runs on. */
  readonly platforms: readonly Platform[];
  /** What the commands find in their environment, beside the platform. */
  readonly environment: NodeJS.ProcessEnv;
  /** The folder, absolute, that paths in the output are to be relative to; absent for the manifest's own. */
  readonly outer?: string | undefined;
  /** Ends it between two commands; the one that runs is told by its terminal. */
  readonly signal?: AbortSignal | undefined;
  /** Takes a line for the person who reads the output. */
  readonly say: (line: string) => void;
}

/**
 * Runs the build of a manifest as public tools do it: its setup once, then its build for each platform,
 * and looks whether what it was to make is there.
 *
 * @returns what was made, one for each platform; none where the manifest does not say what to expect
 * @throws BuildFailure at the first command that fails, or when nothing was made
 */
export async function runBuild(build: Build): Promise<readonly BuildResult[]> {
  const steps = planBuild(build.instructions, build.platforms);
  if (steps.length === 0) {
    throw new BuildFailure(
      'The manifest has no build command. In "build.build", enter the command that builds the module, for example "./build.sh".',
    );
  }
  const kept = new KeptResults(build.folder);
  const { path = '' } = build.instructions;
  const isKept = build.platforms.length > 1 && path !== '';
  // Told before the first command, not after the last: builds take their time.
  if (isKept) await kept.requireRoom(path, build.platforms);
  try {
    const results: BuildResult[] = [];
    for (const step of steps) {
      if (build.signal?.aborted)
        throw new BuildFailure('The build was stopped.', STOPPED_EXIT_CODE);
      const result = await runStep(build, step);
      if (!result) continue;
      results.push(result);
      if (isKept && result.platform) await kept.hold(result, result.platform);
    }
    return isKept ? await kept.place() : results;
  } finally {
    await kept.end();
  }
}

async function runStep(
  { folder, instructions, environment, outer, say }: Build,
  { kind, command, platform }: BuildStep,
): Promise<BuildResult | undefined> {
  const place = platform === undefined ? '' : ` for ${platform}`;
  say(kind === 'setup' ? `Setting up: ${command}` : `Building${place}: ${command}`);
  const startedAt = Date.now();
  const variables = { ...environment, ...platformEnvironment(platform) };
  await runCommand({ command, folder, environment: variables, outer });
  const { path = '' } = instructions;
  if (kind === 'setup' || path === '') return undefined;
  return { platform, ...(await findResult(folder, path, startedAt)) };
}
