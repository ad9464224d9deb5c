import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { displayText } from '../../../core/model/displayText';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { type Deployed, deployedThings } from '../../../core/modules/deploy/deployedThings';
import type { Commands } from '../commandRegistry';
import { namesText } from '../listText';

/** What a part gets with an edit of its config. */
interface NamedDeployed extends Deployed {
  /** Such as `acme:sonar 1.0.1`. */
  readonly name: string;
}

/** A part whose config was edited, and what it gets with that. */
interface EditedPart {
  readonly target: PartTarget;
  readonly puts: readonly NamedDeployed[];
}

/** Offers to restart parts once the edits that give them modules and models are saved. */
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
  afterSaving({ uri }: vscode.TextDocument, target: PartTarget, put: NamedDeployed): void {
    const key = uri.toString();
    const before = this.edited.get(key)?.puts ?? [];
    this.edited.set(key, { target, puts: [...before, put] });
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
    const there = part ? deployedThings(document.getText(), part.puts) : [];
    if (!part || there.length === 0) return;
    const sentence = vscode.l10n.t(
      'Saved the config of "{0}" with {1}. The machine applies it automatically. You can also restart it.',
      displayText(part.target.name),
      namesText(there.map(({ name }) => name)),
    );
    void this.offer(sentence, part.target);
  }
}
