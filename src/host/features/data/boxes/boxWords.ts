import * as vscode from 'vscode';
import type { BoxProblem } from '../../../../core/data/boxes/trackedBox';

/** Why a box is not stored as it is wanted. */
export function boxProblemText(problem: BoxProblem): string {
  switch (problem.kind) {
    case 'refused':
      return problem.error.message;
    case 'interrupted':
      return vscode.l10n.t('The window closed before the change was through.');
  }
}

/** Tells that a panel is gone whose boxes are not all stored. */
export function tellUnfinishedBoxes(images: number): void {
  void vscode.window.showWarningMessage(
    images === 1
      ? vscode.l10n.t(
          'Not all boxes of a picture could be saved. Open the picture again to finish what is half done.',
        )
      : vscode.l10n.t(
          'Not all boxes of {0} pictures could be saved. Open the pictures again to finish what is half done.',
          images,
        ),
  );
}
