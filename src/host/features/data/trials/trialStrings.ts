import * as vscode from 'vscode';
import { MIN_DETECTION_SCORE } from '../../../../core/model/modelTrial';
import type { TrialStrings } from '../../../../shared/data/trials';
import type { TrialMessages } from './trialProcess';
import { FleetError, toFleetError } from '../../../../core/api/errors';

/** Returns the strings for the predictions of a model. The webview fills in the placeholders. */
export function trialStrings(): TrialStrings {
  return {
    tryModel: vscode.l10n.t('Try Model on Image…'),
    tryModelHint: vscode.l10n.t('Run a registry model on this image (M)'),
    heading: vscode.l10n.t('Predictions of {0}'),
    notStored: vscode.l10n.t('Predictions are not stored.'),
    nothingFound: vscode.l10n.t(
      'The model found nothing with a confidence of at least {0}.',
      MIN_DETECTION_SCORE.toLocaleString(vscode.env.language, { style: 'percent' }),
    ),
    moreLabel: vscode.l10n.t('1 more label with a lower confidence'),
    moreLabels: vscode.l10n.t('{0} more labels with a lower confidence'),
    prediction: vscode.l10n.t('{0}: {1}'),
    close: vscode.l10n.t('Close'),
    failed: vscode.l10n.t("Couldn't run the model"),
  };
}

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
