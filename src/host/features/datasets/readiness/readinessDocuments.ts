import * as vscode from 'vscode';
import { withToken } from '../../../../base/cancellation';
import { Disposable } from '../../../../base/disposable';
import { toFleetError } from '../../../../core/api/errors';
import { type ReadOptions, readReadiness } from '../../../../core/data/datasets/readDataset';
import { displayName } from '../../../../core/model/displayText';
import type { DatasetTarget } from '../../../../core/model/resourceTarget';
import type { Clock } from '../../../../core/ports';
import { reading } from '../../../platform/progress';
import type { SessionProvider } from '../../../platform/sessionProvider';
import { readinessText } from './readinessText';
import { readinessTargetOf, readinessUri } from './readinessUri';

type CheckedTarget = Omit<DatasetTarget, 'name'>;

/**
 * Read-only texts that say how fit datasets are to be trained on, as it was when they were checked. VS
 * Code asks for them again after a window reload: then they are checked anew.
 */
export class ReadinessDocuments extends Disposable implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly sessions: SessionProvider,
    private readonly clock: Clock,
  ) {
    super();
    this.register(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  /** Checks a dataset, with progress that can be cancelled, and shows what came of it. */
  async show(target: DatasetTarget): Promise<void> {
    const uri = readinessUri(target);
    await this.check(uri, target);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Checks again the dataset whose readiness is at `uri`, or else in front. */
  async checkAgain(uri = vscode.window.activeTextEditor?.document.uri): Promise<void> {
    const target = uri && readinessTargetOf(uri);
    if (target) await this.check(uri, target);
  }

  async provideTextDocumentContent(
    uri: vscode.Uri,
    token: vscode.CancellationToken,
  ): Promise<string> {
    const known = this.texts.get(uri.toString());
    if (known !== undefined) return known;
    const target = readinessTargetOf(uri);
    if (!target) return vscode.l10n.t('This is over. Close the editor.');
    try {
      return await withToken(token, (signal) => this.textOf(target, { signal }));
    } catch (error) {
      // VS Code would show an empty editor: a text that says what happened is better.
      return toFleetError(error).message;
    }
  }

  private async check(uri: vscode.Uri, target: CheckedTarget): Promise<void> {
    const text = await reading(vscode.l10n.t('Looking through the dataset'), (signal, onProgress) =>
      this.textOf(target, { signal, onProgress }),
    );
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
  }

  private async textOf(target: CheckedTarget, options: ReadOptions): Promise<string> {
    const { connectionId, organizationId, datasetId } = target;
    const stores = this.sessions.stores(connectionId);
    const [readiness, organization, datasets] = await Promise.all([
      readReadiness(stores.binaryData, target, options),
      stores.organizations.get(organizationId),
      stores.datasets.list(organizationId),
    ]);
    const name = datasets.find(({ id }) => id === datasetId)?.name ?? '';
    const checked = {
      name: displayName({ name, id: datasetId }),
      organization: displayName(organization),
      at: this.clock.now(),
    };
    return readinessText(checked, readiness);
  }
}
