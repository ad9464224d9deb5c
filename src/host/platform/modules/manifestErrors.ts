import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { formatManifestDiagnostic } from '../../../core/modules/manifest/formatManifestDiagnostic';
import type { ManifestDiagnostic } from '../../../core/modules/manifest/manifestDiagnostic';
import { parseManifest } from '../../../core/modules/manifest/parseManifest';
import type { ManifestFile } from './moduleManifests';
import { createSiblingReader as readBesideFolder } from '../../../archives/readDiskChunks';

/** Maximum number of errors in a message. A message with more errors wouldn't be clearer. */
const MAX_ERRORS = 5;

/** Sentences before and after the errors in a message. */
export interface ErrorSentences {
  readonly failure: string;
  readonly outcome: string;
}

interface ValidationOptions {
  /**
   * True to accept a manifest without a module ID, because registering the module writes the ID to
   * the manifest.
   */
  readonly idOptional?: boolean;
}

/**
 * Rejects a manifest with errors, because the parsed manifest doesn't contain invalid values.
 *
 * @throws FleetError `invalid` with the errors
 */
export function requireValidManifest(
  { text }: Pick<ManifestFile, 'text'>,
  sentences: ErrorSentences,
  { idOptional = false }: ValidationOptions = {},
): void {
  const errors = parseManifest(text).problems.filter(
    ({ code, severity }) => severity === 'error' && !(idOptional && code === 'moduleIdMissing'),
  );
  if (errors.length > 0) throw manifestError(errors, sentences);
}

/** Returns an error that lists the problems in a manifest or a build. */
export function manifestError(
  errors: readonly ManifestDiagnostic[],
  { failure, outcome }: ErrorSentences,
): FleetError {
  const more = errors.length - MAX_ERRORS;
  const sentences = [
    failure,
    ...errors.slice(0, MAX_ERRORS).map((error) => formatManifestDiagnostic(error, vscode.l10n)),
    ...(more === 1 ? [vscode.l10n.t('There is 1 more problem.')] : []),
    ...(more > 1 ? [vscode.l10n.t('There are {0} more problems.', more)] : []),
    outcome,
  ];
  return new FleetError('invalid', sentences.join(' '));
}

/**
 * Returns a function that reads text files in a manifest's folder, but no files outside it.
 * @param folder folder on this computer
 */
export function createModuleFileReader(folder: vscode.Uri): (path: string) => Promise<string> {
  return readBesideFolder(folder.fsPath, vscode.l10n);
}
