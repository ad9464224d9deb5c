import * as vscode from 'vscode';
import { displayText } from '../../../core/model/displayText';
import type { PlannedModel } from './modelItems';

/** Says that a training was submitted. */
export function tellSubmitted({ modelName, modelVersion }: PlannedModel): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Submitted: the training of {0}, version {1}.',
      displayText(modelName),
      displayText(modelVersion),
    ),
  );
}
