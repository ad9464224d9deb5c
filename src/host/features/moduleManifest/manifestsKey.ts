import * as vscode from 'vscode';
import type { Sleep } from '../../../base/clock';
import { Disposable } from '../../../base/disposable';
import { MANIFEST_NAME } from '../../../core/modules/manifest/moduleManifest';
import type { Logger } from '../../../core/ports';
import { setContextKey } from '../../platform/contextKeys';

/**
 * Debounce delay in milliseconds before the search for manifests, so that the search runs only
 * after activation and when files have stopped changing.
 */
const PAUSE_MS = 500;

/**
 * Sets the context key that lists module manifests, for menus. Many other programs use files with
 * the same name, for which our menus must not appear.
 */
export class ManifestsKey extends Disposable {
  private pause: AbortController | undefined;

  constructor(
    private readonly sleep: Sleep,
    private readonly log: Logger,
  ) {
    super();
    const { workspace } = vscode;
    const watcher = this.register(workspace.createFileSystemWatcher(`**/${MANIFEST_NAME}`));
    const changed = (): void => void this.refreshSoon();
    this.register(watcher.onDidCreate(changed));
    this.register(watcher.onDidChange(changed));
    this.register(watcher.onDidDelete(changed));
    this.register(workspace.onDidChangeWorkspaceFolders(changed));
    this.register({ dispose: () => this.pause?.abort() });
    changed();
  }

  private async refreshSoon(): Promise<void> {
    this.pause?.abort();
    const pause = new AbortController();
    this.pause = pause;
    try {
      await this.sleep(PAUSE_MS, pause.signal);
      const { findManifests } = await import('../../platform/moduleManifests');
      const found = await findManifests();
      if (pause.signal.aborted) return;
      // Paths are listed both in local notation and in the notation of windows with remote files.
      const paths = found.flatMap(({ uri }) => [uri.fsPath, uri.path]);
      setContextKey('fleetwright.moduleManifests', [...new Set(paths)]);
    } catch (error) {
      if (pause.signal.aborted) return;
      this.log.warn('could not search for module manifests', {
        message: (error as Error).message,
      });
    }
  }
}
