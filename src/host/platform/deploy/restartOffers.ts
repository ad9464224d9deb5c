import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { toDisplayText } from '../../../core/model/displayText';
import type { PartTarget } from '../../../core/model/resourceTarget';
import { type Deployed, findDeployed } from '../../../core/modules/deploy/deployedResources';
import type { Commands } from '../commands/commandRegistry';
import { formatNames } from '../text/displayText';

/** Item that a config edit deploys to a part. */
interface NamedDeployed extends Deployed {
  /** Name such as `acme:sonar 1.0.1`. */
  readonly name: string;
}

/** Part whose config was edited, and the items that the edit deploys. */
interface EditedPart {
  readonly target: PartTarget;
  readonly puts: readonly NamedDeployed[];
}

/** Offers to restart parts when the user saves edits that deploy modules or models to them. */
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

  /**
   * Offers the restart when the document is saved with the edit. If the document is closed instead,
   * the offer is canceled.
   */
  afterSaving({ uri }: vscode.TextDocument, target: PartTarget, put: NamedDeployed): void {
    const key = uri.toString();
    const before = this.edited.get(key)?.puts ?? [];
    this.edited.set(key, { target, puts: [...before, put] });
  }

  /** Reports that a part requires no edit, and offers the restart immediately. */
  async offer(sentence: string, target: PartTarget): Promise<void> {
    const restart = vscode.l10n.t('Restart');
    if ((await vscode.window.showInformationMessage(sentence, restart)) !== restart) return;
    await this.commands.execute('fleetwright.part.markForRestart', target);
  }

  private saved(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const part = this.edited.get(key);
    this.edited.delete(key);
    const there = part ? findDeployed(document.getText(), part.puts) : [];
    if (!part || there.length === 0) return;
    const sentence = vscode.l10n.t(
      'Saved the config of "{0}" with {1}. The machine applies it automatically. You can also restart it.',
      toDisplayText(part.target.name),
      formatNames(there.map(({ name }) => name)),
    );
    void this.offer(sentence, part.target);
  }
}
