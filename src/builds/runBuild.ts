import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BuildInstructions,
  type BuildStep,
  planBuild,
  platformEnvironment,
} from '../core/modules/buildPlan';
import type { Platform } from '../core/modules/platforms';
import { BuildError, runCommand } from './runCommand';
import { type BuildResult, findResult, getChangeTime, StagedResults } from './buildResult';

/** Exit code that shells use for Ctrl+C. */
const STOPPED_EXIT_CODE = 130;
/** Duration in milliseconds after which file systems record a different time. */
const TIMESTAMP_STEP_MS = 20;

/** Parameters of a build. */
export interface Build {
  /** The manifest's folder, absolute: the working directory of its commands. */
  readonly folder: string;
  readonly instructions: BuildInstructions;
  /** Platforms to build for, one after the other; empty for a build for the host platform. */
  readonly platforms: readonly Platform[];
  /**
   * Environment variables for the commands, in addition to the variables that specify the platform.
   */
  readonly environment: NodeJS.ProcessEnv;
  /** Absolute path of the base folder for paths in the output; absent for the manifest's folder. */
  readonly outer?: string | undefined;
  /** True to write the commands' output only to stderr, because stdout is reserved for the result. */
  readonly isStdoutReserved?: boolean | undefined;
  /** Stops the build between commands. The terminal interrupts the running command. */
  readonly signal?: AbortSignal | undefined;
  /** Writes a message to the reader of the build output. */
  readonly report: (line: string) => void;
}

/**
 * Runs a manifest's build the way public tools do: runs its setup once, then its build for each
 * platform, and checks that the expected output exists.
 *
 * @returns the output for each platform; empty if the manifest doesn't specify an output
 * @throws BuildError at the first command that fails, when there is no output, or when the build
 *   for one of several platforms doesn't write the output
 */
export async function runBuild(build: Build): Promise<readonly BuildResult[]> {
  const steps = planBuild(build.instructions, build.platforms);
  if (steps.length === 0) {
    throw new BuildError(
      'The manifest has no build command. In "build.build", enter the command that builds the module, for example "./build.sh".',
    );
  }
  const staged = new StagedResults(build.folder);
  const { path = '' } = build.instructions;
  const isStaged = build.platforms.length > 1 && path !== '';
  // Checked before the first command, not after the last one, because builds can take a long time.
  if (isStaged) await staged.requireRoom(path, build.platforms);
  try {
    const results: BuildResult[] = [];
    for (const step of steps) {
      if (build.signal?.aborted) {
        throw new BuildError('The build was stopped.', STOPPED_EXIT_CODE);
      }
      const changedAt = isStaged ? await getChangeTime(build.folder, path) : undefined;
      if (changedAt !== undefined) await sleep(TIMESTAMP_STEP_MS);
      const result = await runStep(build, step);
      if (!result) continue;
      results.push(result);
      if (!isStaged || !result.platform) continue;
      if (changedAt !== undefined && changedAt === (await getChangeTime(build.folder, path))) {
        throw new BuildError(
          `The build for ${result.platform} succeeded, but its command didn't write ${path}, which "build.path" of the manifest names. The existing output is from an earlier build, possibly for another platform.`,
        );
      }
      await staged.stage(result, result.platform);
    }
    return isStaged ? await staged.copyToOutputs() : results;
  } finally {
    await staged.end();
  }
}

async function runStep(
  { folder, instructions, environment, outer, isStdoutReserved, report: say }: Build,
  { kind, command, platform }: BuildStep,
): Promise<BuildResult | undefined> {
  const platformSuffix = platform === undefined ? '' : ` for ${platform}`;
  say(kind === 'setup' ? `Setting up: ${command}` : `Building${platformSuffix}: ${command}`);
  const startedAt = Date.now();
  const variables = { ...environment, ...platformEnvironment(platform) };
  await runCommand({ command, folder, environment: variables, outer, isStdoutReserved });
  const { path = '' } = instructions;
  if (kind === 'setup' || path === '') return undefined;
  return { platform, ...(await findResult(folder, path, startedAt)) };
}
