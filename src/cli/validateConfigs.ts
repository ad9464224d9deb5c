import { readFile } from 'node:fs/promises';
import { englishLocalizer } from '../base/localizer';
import { FleetError } from '../core/api/errors';
import { checkConfig } from '../core/configChecks/checkConfig';
import { type TextDiagnostic, toTextDiagnostics } from '../core/configChecks/textDiagnostics';
import type { ConfigValidateCommand } from './commandLine';
import { EXIT_DONE, EXIT_UNFIT, type Output, printJson } from './report';

/** Diagnostic for a config, as printed with `--json`. */
type ReportedDiagnostic = Omit<TextDiagnostic, 'path'> & { readonly field: string };

/**
 * Reports mistakes in config files, with the same checks as the editor. Throws `FleetError` if a
 * file can't be read.
 *
 * @returns the exit code.
 */
export async function validateConfigs(
  { files, isFragment, json }: ConfigValidateCommand,
  output: Output,
): Promise<number> {
  const results: { readonly file: string; readonly diagnostics: ReportedDiagnostic[] }[] = [];
  for (const file of files) {
    results.push({ file, diagnostics: diagnose(await readConfig(file), isFragment) });
  }
  const ok = results.every(({ diagnostics }) =>
    diagnostics.every(({ severity }) => severity === 'hint'),
  );
  if (json) {
    printJson(output, { ok, files: results });
  } else {
    for (const { file, diagnostics } of results) {
      for (const { line, column, severity, message } of diagnostics) {
        output.say(`${file}:${String(line)}:${String(column)}: ${severity}: ${message}`);
      }
      const isFileValid = diagnostics.every(({ severity }) => severity === 'hint');
      if (isFileValid) output.result(`${file}: the config is valid.`);
    }
  }
  return ok ? EXIT_DONE : EXIT_UNFIT;
}

async function readConfig(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FleetError('invalid', `${file} can't be read: ${reason}`, { cause });
  }
}

function diagnose(text: string, isFragment: boolean): ReportedDiagnostic[] {
  const l10n = englishLocalizer;
  const options = { resolved: undefined, isFragment, hasTypeChecks: true, l10n };
  const diagnostics = toTextDiagnostics(text, options, checkConfig(text, options));
  return diagnostics.map(({ path: field, severity, code, ...rest }) => ({
    severity,
    code,
    field,
    ...rest,
  }));
}
