import { readFile } from 'node:fs/promises';
import { englishLocalizer } from '../base/localizer';
import { FleetError } from '../core/api/errors';
import { checkConfig } from '../core/configChecks/checkConfig';
import type { ConfigSeverity } from '../core/configChecks/configDiagnostic';
import { formatJsonProblem } from '../core/documents/formatJsonProblem';
import { findJsonProblems } from '../core/documents/jsonProblems';
import type { ConfigValidateCommand } from './commandLine';
import { EXIT_DONE, EXIT_UNFIT, type Output, printJson } from './report';

/** Diagnostic for a config, as printed with `--json`. */
interface ReportedDiagnostic {
  readonly severity: ConfigSeverity;
  readonly code: string;
  /** Path in the config, such as `components.0.model`; empty for a syntax error. */
  readonly field: string;
  /** Line and column, starting at 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

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
  const positionAt = positionsIn(text);
  const syntax = findJsonProblems(text, 'text').map((problem) => ({
    severity: 'error' as const,
    code: problem.code,
    field: '',
    ...positionAt(problem.offset),
    message: formatJsonProblem(problem, l10n),
  }));
  const found = checkConfig(text, { resolved: undefined, isFragment, hasTypeChecks: true, l10n });
  return [
    ...syntax,
    ...found.map(({ severity, code, path, offset, message }) => ({
      severity,
      code,
      field: path.join('.'),
      ...positionAt(offset),
      message,
    })),
  ];
}

/** Returns a function that converts text offsets to lines and columns. */
function positionsIn(
  text: string,
): (offset: number) => Pick<ReportedDiagnostic, 'line' | 'column'> {
  const starts = [
    0,
    ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length),
  ];
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    const line = next === -1 ? starts.length : next;
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}
