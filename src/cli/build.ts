import { resolve } from 'node:path';
import { readModule } from '../archives/prepareModule';
import { BuildError } from '../builds/runCommand';
import type { BuildResult } from '../builds/buildResult';
import { withoutOwnVariables } from '../builds/ownVariables';
import { runBuild } from '../builds/runBuild';
import { machinePlatform, usualPlatforms } from '../core/modules/buildPlan';
import {
  formatDiagnosticLine,
  toReportedDiagnostic,
} from '../core/modules/manifest/formatManifestDiagnostic';
import { englishLocalizer } from '../base/localizer';
import type { BuildCommand } from './commandLine';
import { EXIT_DONE, EXIT_UNFIT, type Output, printJson } from './report';

/**
 * Runs a manifest's build. Its commands write to the same terminal, with `--json` only to stderr.
 * @returns the exit code; if a command fails, that command's exit code.
 */
export async function build(
  { manifest: path, platforms, relativeTo, json }: BuildCommand,
  environment: NodeJS.ProcessEnv,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const { manifest, folder, problems } = await readModule(path);
  if (!manifest) {
    const diagnostics = problems.map((problem) => toReportedDiagnostic(problem, englishLocalizer));
    for (const diagnostic of diagnostics) output.say(formatDiagnosticLine(diagnostic));
    if (json) printJson(output, { ok: false, findings: diagnostics });
    return EXIT_UNFIT;
  }
  const own = machinePlatform(process.platform, process.arch);
  try {
    const results = await runBuild({
      folder,
      instructions: manifest.build,
      platforms: platforms.length > 0 ? platforms : usualPlatforms(manifest.build, own),
      environment: withoutOwnVariables(environment),
      signal,
      outer: relativeTo === undefined ? undefined : resolve(relativeTo),
      isStdoutReserved: json,
      // The prefix distinguishes this program's lines from the commands' output.
      report: (line) => output.say(`> ${line}`),
    });
    if (json) printJson(output, { ok: true, moduleId: manifest.moduleId, builds: results });
    else printResults(results, output);
    return EXIT_DONE;
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    if (json) printJson(output, { ok: false, error: { kind: 'build', message: error.message } });
    output.say(`> ${error.message}`);
    return error.exitCode;
  }
}

function printResults(results: readonly BuildResult[], { result }: Output): void {
  for (const built of results) result(`> ${formatResult(built)}`);
  if (results.length > 0) return;
  result('> Built. The manifest doesn\'t specify the output in "build.path".');
}

function formatResult({ platform, path, isFolder, bytes, isOld }: BuildResult): string {
  const of = platform === undefined ? '' : ` for ${platform}`;
  const size = isFolder ? 'a folder' : `${bytes.toLocaleString('en')} bytes`;
  const age = isOld ? '. It is older than this build, which had nothing new to build' : '';
  return `Built${of}: ${path} (${size})${age}.`;
}
