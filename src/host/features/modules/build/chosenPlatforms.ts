import type * as vscode from 'vscode';
import { isPlatform, type Platform } from '../../../../core/modules/platforms';
import type { KeyValue } from '../../../../core/ports';
import { isListOf, isString } from '../../../../shared/guards';

const KEY = 'moduleBuild:';
const areTexts = isListOf(isString);

/** Platforms for which each manifest was last built. */
export class ChosenPlatforms {
  /** @param storage the workspace's storage */
  constructor(private readonly storage: KeyValue) {}

  of(manifest: vscode.Uri): readonly Platform[] {
    const stored = this.storage.get(toStorageKey(manifest));
    return areTexts(stored) ? stored.filter(isPlatform) : [];
  }

  async remember(manifest: vscode.Uri, platforms: readonly Platform[]): Promise<void> {
    await this.storage.update(toStorageKey(manifest), platforms);
  }
}

function toStorageKey(manifest: vscode.Uri): string {
  return KEY + manifest.toString();
}
