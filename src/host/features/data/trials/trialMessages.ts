import * as vscode from 'vscode';
import type { TrialMessages } from './trialProcess';
import { FleetError, toFleetError } from '../../../../core/api/errors';

/** Returns the messages for failed trials. */
export function getTrialMessages(): TrialMessages {
  return {
    rejected: vscode.l10n.t(
      "This model can't be tried here because another version of the fleet service trained it. Train it again, then try the new version.",
    ),
    unreadable: vscode.l10n.t(
      "The image can't be read because it is damaged, too large, or neither a JPEG nor a PNG file.",
    ),
    exited: vscode.l10n.t(
      'The process that runs the model exited unexpectedly, for example because the image takes too much memory. Try a smaller image, or install the extension again.',
    ),
  };
}

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
