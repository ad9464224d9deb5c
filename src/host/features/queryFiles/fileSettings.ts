import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { connectionId, organizationId } from '../../../core/model/ids';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { KeyValue } from '../../../core/ports';
import { type Guarded, isBoolean, isOptional, isShape, isString } from '../../../shared/guards';

const KEY = 'queryFile:';

const isSavedSettings = isShape({
  connection: isString,
  organization: isString,
  name: isString,
  recent: isOptional(isBoolean),
});
type SavedSettings = Guarded<typeof isSavedSettings>;

/**
 * Settings of query files: the organization, and whether only recent data is queried. Saved in the
 * workspace.
 */
export class FileSettings extends Disposable {
  private readonly changed = this.register(new Emitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly storage: KeyValue) {
    super();
    this.register(
      vscode.workspace.onDidRenameFiles(({ files }) =>
        files.forEach(({ oldUri, newUri }) => void this.move(oldUri, newUri)),
      ),
    );
    this.register(
      vscode.workspace.onDidDeleteFiles(({ files }) =>
        files.forEach((uri) => {
          for (const key of this.keysIn(uri)) void this.storage.update(key, undefined);
        }),
      ),
    );
  }

  /** Returns a file's organization; undefined until the user has selected one. */
  findOrganization(uri: vscode.Uri): OrganizationTarget | undefined {
    const saved = this.readSettings(uri);
    if (!saved) return undefined;
    return {
      kind: 'organization',
      name: saved.name,
      connectionId: connectionId(saved.connection),
      organizationId: organizationId(saved.organization),
    };
  }

  isRecent(uri: vscode.Uri): boolean {
    return this.readSettings(uri)?.recent ?? false;
  }

  async choose(uri: vscode.Uri, target: OrganizationTarget): Promise<void> {
    const recent = this.isRecent(uri);
    const { connectionId: connection, organizationId: organization, name } = target;
    await this.saveSettings(uri, { connection, organization, name, recent });
  }

  /**
   * Sets whether a file queries only recent data. Has no effect until the user has selected an
   * organization.
   */
  async setRecent(uri: vscode.Uri, recent: boolean): Promise<void> {
    const saved = this.readSettings(uri);
    if (saved) await this.saveSettings(uri, { ...saved, recent });
  }

  private readSettings(uri: vscode.Uri): SavedSettings | undefined {
    const saved = this.storage.get(toStorageKey(uri));
    return isSavedSettings(saved) ? saved : undefined;
  }

  private async saveSettings(uri: vscode.Uri, saved: SavedSettings): Promise<void> {
    await this.storage.update(toStorageKey(uri), saved);
    this.changed.fire(uri);
  }

  private async move(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    for (const key of this.keysIn(from)) {
      const saved = this.storage.get(key);
      await this.storage.update(key, undefined);
      const moved = vscode.Uri.parse(to.toString() + key.slice(toStorageKey(from).length));
      if (isSavedSettings(saved)) await this.saveSettings(moved, saved);
    }
  }

  /** Returns the keys for a file, or for all files in a folder. */
  private keysIn(uri: vscode.Uri): readonly string[] {
    const own = toStorageKey(uri);
    return this.storage.keys().filter((key) => key === own || key.startsWith(`${own}/`));
  }
}

function toStorageKey(uri: vscode.Uri): string {
  return KEY + uri.toString();
}
