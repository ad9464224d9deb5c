import { hasErrors, prepareModule } from '../archives/prepareModule';
import {
  formatDiagnosticLine,
  toReportedDiagnostic,
} from '../core/modules/manifest/formatManifestDiagnostic';
import type { BuildReader } from '../core/modules/buildFacts';
import { englishLocalizer } from '../base/localizer';
import type { ValidateCommand } from './commandLine';
import { EXIT_DONE, EXIT_UNFIT, type Output, printJson } from './report';

/**
 * Reports problems that prevent a build from being uploaded or started.
 * @returns the exit code.
 */
export async function validate(
  command: ValidateCommand,
  output: Output,
  reader: BuildReader,
  signal: AbortSignal,
): Promise<number> {
  const module = await prepareModule(command, reader, signal);
  const diagnostics = module.diagnostics.map((diagnostic) =>
    toReportedDiagnostic(diagnostic, englishLocalizer),
  );
  const isInvalid = hasErrors(module.diagnostics);
  if (command.json) {
    const { manifest } = module;
    const about = manifest && {
      moduleId: manifest.moduleId,
      build: module.buildPath,
      platform: module.platform,
      entries: module.facts.entries,
      bytes: module.facts.bytes,
    };
    printJson(output, { ok: !isInvalid, ...about, findings: diagnostics });
  } else {
    for (const diagnostic of diagnostics) output.say(formatDiagnosticLine(diagnostic));
    if (!isInvalid && module.manifest) {
      const { moduleId } = module.manifest;
      const platform = module.platform === undefined ? '' : ` for ${module.platform}`;
      output.result(`${moduleId}: the build${platform} is valid.`);
    }
  }
  return isInvalid ? EXIT_UNFIT : EXIT_DONE;
}
