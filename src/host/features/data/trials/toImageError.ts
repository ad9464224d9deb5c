import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../../core/api/errors';

/**
 * Converts the error of a call about an image. `notFound` becomes `deletedImage`, and other errors
 * remain unchanged.
 */
export function toImageError(error: unknown): FleetError {
  const known = toFleetError(error);
  return known.kind === 'notFound' ? deletedImage() : known;
}

/** Returns the error for an image that the service no longer has. */
export function deletedImage(): FleetError {
  return new FleetError('notFound', vscode.l10n.t('The image was deleted. Refresh the list.'));
}
