import * as vscode from 'vscode';
import type { BoxProblem } from '../../../../core/data/boxes/trackedBox';

/** Why a box is not stored as it is wanted. */
export function boxProblemText(problem: BoxProblem): string {
  switch (problem.kind) {
    case 'refused':
      return problem.error.message;
    case 'interrupted':
      return vscode.l10n.t('The window was closed before the change was complete.');
  }
}

/** Tells that a panel is gone whose boxes are not all stored. */
export function tellUnfinishedBoxes(images: number): void {
  void vscode.window.showWarningMessage(
    images === 1
      ? vscode.l10n.t(
          'Not all boxes of an image could be saved. Open the image again to finish the remaining changes.',
        )
      : vscode.l10n.t(
          'Not all boxes of {0} images could be saved. Open the images again to finish the remaining changes.',
          images,
        ),
  );
}
