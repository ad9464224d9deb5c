import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { displayText } from '../../../core/model/displayText';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { isDeployed } from '../../../core/modules/deploy/isDeployed';
import type { Commands } from '../commandRegistry';

/** A part whose config was edited, and what it gets with that. */
interface EditedPart {
  readonly target: PartTarget;
  /** Such as `acme:sonar 1.0.1`. */
  readonly module: string;
  /** The text of its config with that in it. */
  readonly deploy: (text: string) => string;
}

/** Offers to restart parts once the edits that give them a module are saved. */
export class RestartOffers extends Disposable {
  private readonly edited = new Map<string, EditedPart>();

  constructor(private readonly commands: Commands) {
    super();
    const { workspace } = vscode;
    this.register(workspace.onDidSaveTextDocument((document) => this.saved(document)));
    this.register(
      workspace.onDidCloseTextDocument(({ uri }) => this.edited.delete(uri.toString())),
    );
  }

  /** Waits until a document is saved, with the edit in it; closing it ends that. */
  afterSaving({ uri }: vscode.TextDocument, part: EditedPart): void {
    this.edited.set(uri.toString(), part);
  }

  /** Says that a part needs no edit, and offers the restart right away. */
  async offer(sentence: string, target: PartTarget): Promise<void> {
    const restart = vscode.l10n.t('Restart…');
    if ((await vscode.window.showInformationMessage(sentence, restart)) !== restart) return;
    await this.commands.execute('fleetwright.part.markForRestart', target);
  }

  private saved(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const part = this.edited.get(key);
    this.edited.delete(key);
    // What was saved may be something else by now: the edit undone, or another version written.
    if (!part || !isDeployed(document.getText(), part.deploy)) return;
    const sentence = vscode.l10n.t(
      'Saved: "{0}" is to run {1}. It takes over a changed config by itself; a restart makes it start anew.',
      displayText(part.target.name),
      displayText(part.module),
    );
    void this.offer(sentence, part.target);
  }
}
