import type { Localizer } from '../../base/localizer';
import { formatJsonProblem } from '../documents/formatJsonProblem';
import { findJsonProblems } from '../documents/jsonProblems';
import type { ResolvedDiagnostic } from './checkResolvedConfig';
import type { ConfigSeverity } from './configDiagnostic';

/** Diagnostic of a config for readers without an editor. */
export interface TextDiagnostic {
  readonly severity: ConfigSeverity;
  /** Code of the rule; undefined for a problem of a fragment. */
  readonly code: string | undefined;
  /** Path in the config, such as `components.0.model`; empty for a syntax error. */
  readonly path: string;
  /** Line and column, starting at 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Returns the problems that prevent saving a config as diagnostics, followed by the diagnostics of
 * its content.
 */
export function toTextDiagnostics(
  text: string,
  { isFragment, l10n }: { readonly isFragment: boolean; readonly l10n: Localizer },
  diagnostics: readonly ResolvedDiagnostic[],
): TextDiagnostic[] {
  const positionAt = createPositions(text);
  // Fragments are sent as a Struct, which can't represent all numbers.
  const wireFormat = isFragment ? 'struct' : 'text';
  return [
    ...findJsonProblems(text, wireFormat).map((problem) => ({
      severity: 'error' as const,
      code: problem.code,
      path: '',
      ...positionAt(problem.offset),
      message: formatJsonProblem(problem, l10n),
    })),
    ...diagnostics.map(({ severity, code, path, offset, message }) => ({
      severity,
      code,
      path: path.join('.'),
      ...positionAt(offset),
      message,
    })),
  ];
}

/** Returns a function that converts text offsets to lines and columns. */
function createPositions(
  text: string,
): (offset: number) => Pick<TextDiagnostic, 'line' | 'column'> {
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
