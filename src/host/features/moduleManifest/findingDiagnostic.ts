import * as vscode from 'vscode';
import type { ManifestFinding } from '../../../core/modules/manifest/manifestFinding';
import type { ParsedManifest } from '../../../core/modules/manifest/parseManifest';
import { rangeAt } from './manifestReader';

const SOURCE = 'Fleetwright';

/**
 * Returns the range of a problem. Problems with the whole build have the range of the module ID.
 */
export function getFindingRange(
  document: vscode.TextDocument,
  parsed: ParsedManifest,
  { code, path, range: place }: ManifestFinding,
): vscode.Range {
  const isWhole = path.length === 0;
  const isName = isWhole || code === 'unknownField';
  return rangeAt(document, place ?? parsed.getRange(isWhole ? ['module_id'] : path, isName));
}

/** Converts a manifest problem to a VS Code diagnostic. */
export function toDiagnostic(
  document: vscode.TextDocument,
  parsed: ParsedManifest,
  { finding, message: words }: { readonly finding: ManifestFinding; readonly message: string },
): vscode.Diagnostic {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const severity = finding.severity === 'error' ? Error : Warning;
  const range = getFindingRange(document, parsed, finding);
  const diagnostic = new vscode.Diagnostic(range, words, severity);
  diagnostic.source = SOURCE;
  diagnostic.code = finding.code;
  return diagnostic;
}
