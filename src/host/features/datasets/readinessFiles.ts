import * as vscode from 'vscode';
import { toFleetError } from '../../../core/api/errors';
import type { ReadOptions } from '../../../core/data/datasets/datasetReadiness';
import { displayName } from '../../../core/model/displayText';
import type { DatasetTarget } from '../../../core/model/resourceTarget';
import type { Clock } from '../../../core/ports';
import { reading } from '../../platform/commands/progress';
import { ReadOnlyFiles } from '../../platform/documents/readOnlyFiles';
import type { SessionProvider } from '../../platform/sessionProvider';
import { safeSegment } from '../../../core/documents/documentAddress';
import { connectionId, datasetId, organizationId } from '../../../core/model/ids';
import { schemes } from '../../../manifest/contributions';
import { isListOf, isString, parsedAs } from '../../../shared/guards';

type CheckedTarget = Omit<DatasetTarget, 'name'>;

interface Checked {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

/**
 * Reports on datasets' readiness for training at the time of the check. The reports are read-only
 * files, so VS Code reopens them after a window reload and the check runs again.
 */
export class ReadinessFiles extends ReadOnlyFiles {
  private readonly checked = new Map<string, Promise<Checked>>();
  private readonly ended = new AbortController();

  constructor(
    private readonly sessions: SessionProvider,
    private readonly clock: Clock,
  ) {
    super();
    this.register({ dispose: () => this.ended.abort() });
    this.register(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.checked.delete(uri.toString())),
    );
  }

  /** Checks a dataset, with cancelable progress, and shows the report. */
  async show(target: DatasetTarget): Promise<void> {
    const uri = readinessUri(target);
    await this.check(uri, target);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Rechecks a report's dataset: the report at `uri`, or the active report. */
  async checkAgain(uri = vscode.window.activeTextEditor?.document.uri): Promise<void> {
    const target = uri && parseReadinessUri(uri);
    if (target) await this.check(uri, target);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, mtime } = await this.open(uri);
    const permissions = vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.length, permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.open(uri)).bytes;
  }

  protected getReadOnlyMessage(): string {
    return vscode.l10n.t('Dataset readiness is read-only.');
  }

  private async check(uri: vscode.Uri, target: CheckedTarget): Promise<void> {
    const checked = await reading(vscode.l10n.t('Checking the dataset'), (signal, report) =>
      this.read(target, { signal, onProgress: report }),
    );
    this.checked.set(uri.toString(), Promise.resolve(checked));
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /** Returns the result of a check, which all callers share. Repeats a failed check. */
  private async open(uri: vscode.Uri): Promise<Checked> {
    const target = parseReadinessUri(uri);
    if (!target) throw vscode.FileSystemError.FileNotFound(uri);
    const key = uri.toString();
    const opened = this.checked.get(key) ?? this.read(target, { signal: this.ended.signal });
    this.checked.set(key, opened);
    try {
      return await opened;
    } catch (error) {
      this.checked.delete(key);
      throw vscode.FileSystemError.Unavailable(toFleetError(error).message);
    }
  }

  private async read(target: CheckedTarget, options: ReadOptions): Promise<Checked> {
    const { connectionId, organizationId, datasetId } = target;
    const stores = this.sessions.stores(connectionId);
    const [{ readReadiness }, { formatReadiness }] = await Promise.all([
      import('../../../core/data/datasets/datasetReadiness'),
      import('./formatReadiness'),
    ]);
    const [readiness, organization, datasets] = await Promise.all([
      readReadiness(stores.binaryData, target, options),
      stores.organizations.get(organizationId),
      stores.datasets.list(organizationId),
    ]);
    const name = datasets.find(({ id }) => id === datasetId)?.name ?? '';
    const at = this.clock.now();
    const checked = {
      name: displayName({ name, id: datasetId }),
      organization: displayName(organization),
      at,
    };
    const text = formatReadiness(checked, readiness);
    return { bytes: new TextEncoder().encode(text), mtime: at.getTime() };
  }
}

/**
 * Returns the URI of a dataset's readiness report, which can be generated again after a window
 * reload. The name is displayed in the tab.
 */
export function readinessUri(target: DatasetTarget): vscode.Uri {
  const file = vscode.l10n.t('{0} readiness', safeSegment(target.name));
  return vscode.Uri.from({
    scheme: schemes.readiness,
    authority: target.connectionId,
    path: `/${file}.txt`,
    query: JSON.stringify([target.organizationId, target.datasetId]),
  });
}

/** Returns the dataset for a readiness report without its name; undefined for any other URI. */
export function parseReadinessUri(uri: vscode.Uri): Omit<DatasetTarget, 'name'> | undefined {
  if (uri.scheme !== schemes.readiness || uri.authority === '') return undefined;
  const [organization, dataset] = parsedAs(uri.query, isListOf(isString)) ?? [];
  if (organization === undefined || dataset === undefined) return undefined;
  return {
    kind: 'dataset',
    connectionId: connectionId(uri.authority),
    organizationId: organizationId(organization),
    datasetId: datasetId(dataset),
  };
}
