import * as vscode from 'vscode';
import type { BoxProblem } from '../../../../core/data/boxes/trackedBox';

/** Returns the reason that a box isn't saved as requested. */
export function formatBoxProblem(problem: BoxProblem): string {
  switch (problem.kind) {
    case 'refused':
      return problem.error.message;
    case 'interrupted':
      return vscode.l10n.t('The window was closed before the change was complete.');
  }
}

/** Reports that a panel was closed with unsaved boxes. */
export function warnAboutUnsavedBoxes(images: number): void {
  void vscode.window.showWarningMessage(
    images === 1
      ? vscode.l10n.t(
          'Not all boxes of an image could be saved. Open the image again to finish the remaining changes.',
        )
      : vscode.l10n.t(
          "Couldn't save some boxes in {0} images. Open the images again to save the remaining changes.",
          images,
        ),
  );
}
