import * as vscode from 'vscode';
import type { ManifestFinding } from '../../../core/modules/manifest/manifestFinding';
import type { ParsedManifest } from '../../../core/modules/manifest/parseManifest';
import { rangeAt } from './manifestReader';

const SOURCE = 'Fleetwright';

/** Where a finding is shown. What concerns the whole build stands at the id of the module. */
export function rangeOfFinding(
  document: vscode.TextDocument,
  parsed: ParsedManifest,
  { code, path, place }: ManifestFinding,
): vscode.Range {
  const isWhole = path.length === 0;
  const isName = isWhole || code === 'unknownField';
  return rangeAt(document, place ?? parsed.placeOf(isWhole ? ['module_id'] : path, isName));
}

/** A finding as VS Code shows it. */
export function diagnosticOf(
  document: vscode.TextDocument,
  parsed: ParsedManifest,
  { finding, words }: { readonly finding: ManifestFinding; readonly words: string },
): vscode.Diagnostic {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const severity = finding.severity === 'error' ? Error : Warning;
  const range = rangeOfFinding(document, parsed, finding);
  const diagnostic = new vscode.Diagnostic(range, words, severity);
  diagnostic.source = SOURCE;
  diagnostic.code = finding.code;
  return diagnostic;
}
